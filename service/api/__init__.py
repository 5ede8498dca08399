"""The JSON API over HTTP: Flask over `service.games.Games`.

What a request looks like is the schemas' business, who may send it the table's in `permissions`, what it does the
facade's. Nothing here decides a rule.
"""
