"""REST service and web page around a pipeline. Nothing that is sent to it is stored."""
