import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './json-response.ts'

/** Serves the files of the built page from memory. */
export interface PageFiles {
  /** Resolves to `undefined` if the page has no file at that path. */
  answer(request: Request, url: URL): Promise<Response | undefined>
}

interface PageFile {
  readonly type: string
  readonly etag: string
  /** The file name contains a hash of the contents, so clients may cache it forever. */
  readonly isImmutable: boolean
  readonly plain: Uint8Array<ArrayBuffer>
  /** Only if it is smaller. */
  readonly zipped?: Uint8Array<ArrayBuffer>
}

const compress = promisify(gzip)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

const HOW_TO_BUILD =
  'The inspector page is not built. In the repository, run:\n\n' +
  '  npm run build -w toolsearch-inspector\n\n' +
  'The API under /api works without it.\n'

/** @param folder the built page; it need not exist yet */
export function createPageFiles(folder: string): PageFiles {
  let files: Promise<Map<string, PageFile>> | undefined

  return {
    async answer(request, { pathname }) {
      const path = pathname === '/' ? '/index.html' : pathname
      files ??= readFolder(folder).catch(() => new Map())
      const all = await files
      // Read the folder again until it contains the page: a build must not require a restart.
      if (!all.has('/index.html')) files = undefined
      const file = all.get(path)
      if (file) return respond(request, file)
      return path === '/index.html' ? notBuilt() : undefined
    },
  }
}

function notBuilt(): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(HOW_TO_BUILD, { status: 503, headers })
}

function respond(request: Request, { type, etag, isImmutable, plain, zipped }: PageFile): Response {
  const headers = new Headers({
    'content-type': type,
    etag,
    vary: 'accept-encoding',
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    headers.set('allow', 'GET, HEAD')
    return new Response(null, { status: 405, headers })
  }
  const cached = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? []
  if (cached.includes(etag)) return new Response(null, { status: 304, headers })
  const isZipped = zipped !== undefined && acceptsGzip(request)
  if (isZipped) headers.set('content-encoding', 'gzip')
  return new Response(isZipped ? zipped : plain, { headers })
}

async function readFolder(folder: string): Promise<Map<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = join(parentPath, name)
        const path = relative(folder, file).replaceAll('\\', '/')
        return [`/${path}`, await readPageFile(file)] as const
      }),
    ),
  )
}

async function readPageFile(file: string): Promise<PageFile> {
  const plain = new Uint8Array(await readFile(file))
  const zipped = new Uint8Array(await compress(plain))
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    isImmutable: /[\\/]assets[\\/].+-[\w-]{8,}\.\w+$/.test(file),
    plain,
    ...(zipped.length < plain.length && { zipped }),
  }
}
