import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modernServer, referenceServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { program } from './program.fixtures.ts'

/** Runs toolsearch commands with a configuration in a temporary folder. */
export interface Serving {
  readonly folder: string
  readonly env: Record<string, string>
  /** Parameters of `toolsearch serve` for a stdio client transport. */
  command(...args: string[]): {
    command: string
    args: string[]
    cwd: string
    env: Record<string, string>
    stderr: 'ignore'
  }
  /** Runs a command until it exits. */
  run(...args: string[]): Promise<{ code: number | null; out: string; err: string }>
  /** Starts a command without waiting for it. */
  start(...args: string[]): ChildProcessWithoutNullStreams
  /** Starts `toolsearch serve --http`, and stops it in `end`. */
  http(...args: string[]): Promise<{ url: string; child: ChildProcess }>
  write(config: ServingConfig): Promise<void>
  end(): Promise<void>
}

interface ServingConfig {
  readonly mcpServers: object
  readonly toolsearch?: object
}

export async function serving(config: ServingConfig): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-serving-'))
  const env = { PATH: process.env.PATH!, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  const children: ChildProcess[] = []
  const write = (next: ServingConfig) => {
    // Starting several servers at once takes long on a busy machine.
    const toolsearch = { limits: { connectMs: 60_000 }, ...next.toolsearch }
    return writeFile(join(folder, 'toolsearch.json'), JSON.stringify({ ...next, toolsearch }))
  }
  await write(config)
  const line = (args: readonly string[]) => [
    ...program,
    args[0]!,
    // Commands that query a running gateway have no --config option.
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
        // The default port could be taken by another test between two starts.
        const port = args.includes('--port') ? [] : ['--port', '0']
        const child = start(['serve', '--http', ...port, ...args])
        let log = ''
        child.stderr.on('data', (piece) => {
          log += piece
          const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(log)
          if (found) resolve({ url: found[0], child })
        })
        child.once('exit', () => reject(new Error(log)))
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

/** Server entries for a configuration. */
export const everything: object = {
  command: process.execPath,
  args: [referenceServer('everything')],
}
export const modern: object = { ...modernServer(['only']).connection, kind: undefined }

/** Polls until the answer is complete: the gateway answers before all servers have connected. */
export async function until<T>(
  ask: () => Promise<T>,
  isComplete: (answer: T) => boolean,
): Promise<T> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const answer = await ask()
    if (isComplete(answer)) return answer
    if (Date.now() > deadline) throw new Error(`Still incomplete: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export function textOf(result: unknown): string {
  return String((result as { content: { text?: unknown }[] }).content[0]?.text)
}
