"""The REST service and its page: FastAPI around one pipeline, nothing kept of what is sent."""
