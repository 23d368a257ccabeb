cat > deploy/.env <<END
PUBLIC_HOST=tools.example.com
ISSUER=https://login.example.com
ENCRYPTION_KEY=$(openssl rand -hex 32)
POSTGRES_PASSWORD=$(openssl rand -hex 24)
END
chmod 600 deploy/.env
docker compose -f deploy/compose.yaml up --build
