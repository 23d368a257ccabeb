// Runs in the gateway's folder after its build: the built page of the inspector goes into the package.
import { cpSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../packages/inspector/dist', import.meta.url))
if (existsSync(page)) cpSync(page, 'dist/inspector', { recursive: true })
else console.warn('The inspector has no page yet: npm run build -w toolsearch-inspector')
