"""A REST service and a web page that annotate texts. The service stores none of these texts."""
