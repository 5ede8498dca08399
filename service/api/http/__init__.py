"""HTTP: how a request is read, checked and routed, and how an answer or a problem is written."""
