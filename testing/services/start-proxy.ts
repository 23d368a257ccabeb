import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findCaddy, findNginx } from '../../scripts/services.js'
import { ended, logOf, runService, signal } from './run-service.ts'

/** A real proxy with TLS, from the configuration in `deploy/`. */
export interface TestProxy {
  /** Its certificate is not signed by anybody. */
  readonly url: string
  close(): Promise<void>
}

/** What starts a proxy: its program and arguments. The folder is empty. */
type Prepare = (port: number, gateway: string, folder: string) => Promise<[string, ...string[]]>

export type ProxyName = 'nginx' | 'Caddy'

const PROXIES: Record<ProxyName, Prepare> = { nginx: prepareNginx, Caddy: prepareCaddy }

const START_TIMEOUT_MS = 30_000

/** @param gateway its address, such as `127.0.0.1:7777` */
export async function startProxy(
  name: ProxyName,
  port: number,
  gateway: string,
): Promise<TestProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-proxy-'))
  const [program, ...args] = await PROXIES[name](port, gateway, folder)
  const pid = await runService(program, args, { folder })
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    if (Date.now() > deadline || !signal(pid, 0)) {
      throw new Error(`${name} does not start:\n${readFileSync(logOf(folder), 'utf8')}`)
    }
    await wait(10)
  }
  return {
    url: `https://localhost:${port}`,
    async close() {
      signal(pid, 'SIGKILL')
      await ended(pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function prepareNginx(
  port: number,
  gateway: string,
  folder: string,
): Promise<[string, ...string[]]> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-out', certificate, '-keyout', key]
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    ...subject,
    ...files,
  ])
  const site = replaced(recipe('nginx.conf'), [
    // Twice, because nginx never leaves out a single server, whatever fails.
    ['server 127.0.0.1:7777;', `server ${gateway}; server ${gateway};`],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['server_name tools.example.com', 'server_name localhost'],
    ['/etc/ssl/certs/toolsearch.pem', certificate],
    ['/etc/ssl/private/toolsearch.key', key],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const config = [
    'daemon off;',
    'master_process off;',
    `pid ${join(folder, 'pid')};`,
    'events {}',
    `http { access_log off; ${temporary.join(' ')} include site.conf; }`,
  ]
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(join(folder, 'nginx.conf'), config.join('\n'))
  return [installed(findNginx()), '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
}

async function prepareCaddy(
  port: number,
  gateway: string,
  folder: string,
): Promise<[string, ...string[]]> {
  const options = `{
	admin off
	auto_https disable_redirects
	skip_install_trust
	default_bind 127.0.0.1
	storage file_system ${folder}
}
`
  // Docker resolves the name of the service in compose.yaml.
  const site = replaced(recipe('Caddyfile'), [[/dynamic a \{[^}]*\}/, `to ${gateway}`]])
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, options + site)
  const env = [`PUBLIC_HOST=localhost:${port}`, `HOME=${folder}`]
  return ['env', ...env, installed(findCaddy()), 'run', '--adapter', 'caddyfile', '--config', file]
}

function recipe(file: string): string {
  return readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8')
}

function replaced(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, to)
    if (after === before) throw new Error(`The recipe does not contain ${from}.`)
    return after
  }, text)
}

function installed(program: string | undefined): string {
  if (program !== undefined) return program
  throw new Error(
    'The test needs nginx and Caddy. Run TOOLSEARCH_TESTS=deep node scripts/install-services.js',
  )
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
