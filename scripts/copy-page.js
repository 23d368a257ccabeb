// Runs in the gateway's folder after its build: copies the built inspector page into the package.
import { cpSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(
  new URL('dist', import.meta.resolve('toolsearch-inspector/package.json')),
)
if (existsSync(page)) cpSync(page, 'dist/inspector', { recursive: true })
else
  console.warn('The inspector page is not built. Run npm run build -w toolsearch-inspector first.')
