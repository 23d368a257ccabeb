docker build -f deploy/Dockerfile -t toolsearch .
