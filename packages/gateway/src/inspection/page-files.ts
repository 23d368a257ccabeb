import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'

/** The files of the page, from memory. */
export interface PageFiles {
  /** Nothing if there is no file of that path. */
  answer(request: Request): Promise<Response | undefined>
}

interface PageFile {
  readonly type: string
  readonly etag: string
  /** What is in a file of that name never changes. */
  readonly isForEver: boolean
  readonly plain: Uint8Array<ArrayBuffer>
  /** None where it would not be smaller. */
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
  'The page of the inspector is not built. In the repository, run:\n\n' +
  '  npm run build -w toolsearch-inspector\n\n' +
  'The API is there without it, under /api.\n'

/** @param folders where the built page may be, the first that has one counts */
export function createPageFiles(folders: readonly string[]): PageFiles {
  let files: Promise<Map<string, PageFile>> | undefined

  return {
    async answer(request) {
      const { pathname } = new URL(request.url)
      const path = pathname === '/' ? '/index.html' : pathname
      // read anew until there is something, so that a build is seen without a restart
      files ??= readFirst(folders).catch(() => new Map())
      const all = await files
      if (all.size === 0) files = undefined
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

function respond(request: Request, { type, etag, isForEver, plain, zipped }: PageFile): Response {
  const headers = new Headers({
    'content-type': type,
    etag,
    vary: 'accept-encoding',
    'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    headers.set('allow', 'GET, HEAD')
    return new Response(null, { status: 405, headers })
  }
  const known = request.headers.get('if-none-match')?.split(/\s*,\s*/) ?? []
  if (known.includes(etag)) return new Response(null, { status: 304, headers })
  const isZipped = zipped !== undefined && acceptsGzip(request)
  if (isZipped) headers.set('content-encoding', 'gzip')
  return new Response(isZipped ? zipped : plain, { headers })
}

async function readFirst(folders: readonly string[]): Promise<Map<string, PageFile>> {
  for (const folder of folders) {
    const files = await readFolder(folder)
    if (files.has('/index.html')) return files
  }
  return new Map()
}

async function readFolder(folder: string): Promise<Map<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = join(parentPath, name)
        const path = file.slice(folder.length).replaceAll('\\', '/')
        return [path.startsWith('/') ? path : `/${path}`, await readPageFile(file)] as const
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
    // the build writes a hash of the content into the name
    isForEver: /[\\/]assets[\\/].+-[\w-]{8,}\.\w+$/.test(file),
    plain,
    ...(zipped.length < plain.length && { zipped }),
  }
}
