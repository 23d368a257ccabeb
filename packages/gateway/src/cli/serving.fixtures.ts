import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modernServer, referenceServer } from '../upstreams/fixtures/servers.fixtures.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const loader = fileURLToPath(import.meta.resolve('tsx'))

/** A configuration in a folder of its own, and the command line for it. */
export interface Serving {
  readonly folder: string
  readonly env: Record<string, string>
  /** For a transport that starts a process. */
  command(...args: string[]): {
    command: string
    args: string[]
    cwd: string
    env: Record<string, string>
    stderr: 'ignore'
  }
  /** Runs a command to its end. */
  run(...args: string[]): Promise<{ code: number | null; out: string; err: string }>
  /** Starts a command and leaves it to the caller. */
  start(...args: string[]): ChildProcessWithoutNullStreams
  /** Serves over HTTP until the end. */
  http(...args: string[]): Promise<{ url: string; child: ChildProcess }>
  write(config: object): Promise<void>
  end(): Promise<void>
}

export async function serving(config: object): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-serving-'))
  const env = { PATH: process.env.PATH!, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  const children: ChildProcess[] = []
  const write = (next: object) => writeFile(join(folder, 'toolsearch.json'), JSON.stringify(next))
  await write(config)
  const line = (args: readonly string[]) => [
    '--conditions=@toolsearch/source',
    '--import',
    loader,
    main,
    args[0]!,
    // what asks a gateway that runs needs no configuration
    ...(args.includes('--url') ? [] : ['-c', 'toolsearch.json']),
    ...args.slice(1),
  ]
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, line(args), { cwd: folder, env })
    children.push(child)
    return child
  }
  return {
    folder,
    env,
    write,
    start: (...args) => start(args),
    command: (...args) => ({
      command: process.execPath,
      args: line(['serve', ...args]),
      cwd: folder,
      env,
      stderr: 'ignore',
    }),
    run: (...args) =>
      new Promise((resolve) => {
        const child = start(args)
        let out = ''
        let err = ''
        child.stdout.on('data', (piece) => {
          out += piece
        })
        child.stderr.on('data', (piece) => {
          err += piece
        })
        child.once('close', (code) => resolve({ code, out, err }))
      }),
    http: (...args) =>
      new Promise((resolve, reject) => {
        const child = start(['serve', '--http', ...args])
        let said = ''
        child.stderr.on('data', (piece) => {
          said += piece
          const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)
          if (found) resolve({ url: found[0], child })
        })
        child.once('exit', () => reject(new Error(said)))
      }),
    async end() {
      await Promise.all(
        children
          .filter((child) => child.exitCode === null && child.signalCode === null)
          .map((child) => {
            const ended = new Promise((resolve) => child.once('exit', resolve))
            child.kill('SIGTERM')
            return ended
          }),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Servers as a configuration names them. */
export const everything: object = {
  command: process.execPath,
  args: [referenceServer('everything')],
}
export const modern: object = { ...modernServer(['only']).connection, kind: undefined }

/** Asks until the answer will do: servers connect while the gateway answers. */
export async function until<T>(
  ask: () => Promise<T>,
  isEnough: (answer: T) => boolean,
): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await ask()
    if (isEnough(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return ask()
}

export function textOf(result: unknown): string {
  return String((result as { content: { text?: unknown }[] }).content[0]?.text)
}
