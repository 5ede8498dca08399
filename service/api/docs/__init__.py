"""The API's documents: the OpenAPI document and the page that shows it."""
