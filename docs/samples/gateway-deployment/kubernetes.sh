kubectl create secret generic toolsearch \
  --from-literal=REDIS_URL=rediss://… \
  --from-literal=POSTGRES_URL=postgres://… \
  --from-literal=ENCRYPTION_KEY="$(openssl rand -hex 32)"
kubectl apply -f deploy/kubernetes/toolsearch.yaml
