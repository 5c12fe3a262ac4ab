# The service in a container: docker build -t spacy-gladis . && docker run -p 8000:8000 spacy-gladis
# Nothing is downloaded at run time: weights and dictionary are in the package.
FROM python:3.11-slim-bookworm AS build
RUN python -m venv /opt/gladis
ENV PATH=/opt/gladis/bin:$PATH
WORKDIR /src
COPY constraints.txt ./
COPY setup.cfg pyproject.toml README.md LICENSE ./
COPY spacy_gladis spacy_gladis
RUN pip install --no-cache-dir --constraint constraints.txt '.[serve,documents]'

FROM python:3.11-slim-bookworm
COPY --from=build /opt/gladis /opt/gladis
ENV PATH=/opt/gladis/bin:$PATH PYTHONUNBUFFERED=1
RUN useradd --uid 10001 --create-home gladis
USER 10001
WORKDIR /home/gladis
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["spacy-gladis"]
CMD ["serve", "--host", "0.0.0.0"]
