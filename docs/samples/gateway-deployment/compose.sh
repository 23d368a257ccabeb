mkdir -p deploy/secrets
openssl rand -hex 32 > deploy/secrets/toolsearch_key
openssl rand -hex 24 | tr -d '\n' > deploy/secrets/postgres_password
ISSUER=https://login.example.com PUBLIC_HOST=tools.example.com docker compose -f deploy/compose.yaml up --build
