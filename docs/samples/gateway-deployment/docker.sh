docker build -f deploy/Dockerfile -t toolsearch .
docker run -p 7777:7777 -e TOOLSEARCH_TOKEN=… -v ./toolsearch.json:/etc/toolsearch/toolsearch.json:ro toolsearch
