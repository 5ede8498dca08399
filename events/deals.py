"""Events of deals."""
