import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { myTools } from '../../../../examples/my-tools.ts'
import { modernServer, referenceServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { program } from './program.fixtures.ts'
import { type CommandHere, type CommandResult, startHere } from './run-here.fixtures.ts'

/** Runs toolsearch commands with a configuration in a temporary folder. */
export interface Serving {
  readonly folder: string
  readonly env: Record<string, string>
  /** Runs a command in this process until it ends. */
  run(...args: string[]): Promise<CommandResult>
  /** Starts a command in this process. */
  start(...args: string[]): CommandHere
  /** Starts `toolsearch serve --http` in this process, and stops it in `end`. */
  http(...args: string[]): Promise<{ url: string; command: CommandHere }>
  /** A client transport to `toolsearch serve` in this process, over its stdin and stdout. */
  pipe(...args: string[]): PipeTransport
  /** Parameters of `toolsearch serve` for a stdio client transport, which starts a process. */
  command(...args: string[]): {
    command: string
    args: string[]
    cwd: string
    env: Record<string, string>
    stderr: 'ignore'
  }
  /** Starts a command in a process of its own. */
  spawn(...args: string[]): ChildProcessWithoutNullStreams
  /** Starts `toolsearch serve --http` in a process of its own, and stops it in `end`. */
  spawnHttp(...args: string[]): Promise<{ url: string; child: ChildProcess }>
  write(config: ServingConfig): Promise<void>
  end(): Promise<void>
}

/** Closes the stdin of the command when it is closed. */
interface PipeTransport extends StdioServerTransport {
  readonly command: CommandHere
}

interface ServingConfig {
  readonly mcpServers: object
  readonly toolsearch?: object
}

/** How `serve --http` prints where it serves. */
const SERVED = /http:\/\/127\.0\.0\.1:\d+\/mcp/

export async function serving(config: ServingConfig): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-serving-'))
  const env = { PATH: process.env.PATH!, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  const children: ChildProcess[] = []
  const commands: CommandHere[] = []
  const write = (next: ServingConfig) => {
    // Starting several servers at once takes long on a busy machine.
    const toolsearch = { limits: { connectMs: 60_000 }, ...next.toolsearch }
    return writeFile(join(folder, 'toolsearch.json'), JSON.stringify({ ...next, toolsearch }))
  }
  await write(config)
  const line = (args: readonly string[]) => [
    args[0]!,
    // Commands that query a running gateway have no --config option.
    ...(args.includes('--url') ? [] : ['-c', 'toolsearch.json']),
    ...args.slice(1),
  ]
  const start = (args: readonly string[]) => {
    const command = startHere(line(args), { cwd: folder, env: { ...env } })
    commands.push(command)
    return command
  }
  const spawnIt = (args: readonly string[]) => {
    const child = spawn(process.execPath, [...program, ...line(args)], { cwd: folder, env })
    children.push(child)
    return child
  }
  // The default port could be taken by another test between two starts.
  const httpLine = (args: readonly string[]) => {
    const port = args.includes('--port') ? [] : ['--port', '0']
    return ['serve', '--http', ...port, ...args]
  }
  return {
    folder,
    env,
    write,
    start: (...args) => start(args),
    run: (...args) => start(args).ended,
    async http(...args) {
      const command = start(httpLine(args))
      const url = await until(
        async () => SERVED.exec(command.err)?.[0] ?? command.code,
        (answer) => answer !== undefined,
      )
      if (typeof url !== 'string') throw new Error(command.err)
      return { url, command }
    },
    pipe(...args) {
      const command = start(['serve', ...args])
      // The same messages as between processes, one per line.
      const transport = new StdioServerTransport(command.stdout, command.stdin)
      const close = transport.close.bind(transport)
      transport.close = async () => {
        await close()
        command.stdin.end()
      }
      return Object.assign(transport, { command })
    },
    command: (...args) => ({
      command: process.execPath,
      args: [...program, ...line(['serve', ...args])],
      cwd: folder,
      env,
      stderr: 'ignore',
    }),
    spawn: (...args) => spawnIt(args),
    spawnHttp: (...args) =>
      new Promise((resolve, reject) => {
        const child = spawnIt(httpLine(args))
        let log = ''
        child.stderr.on('data', (piece) => {
          log += piece
          const found = SERVED.exec(log)
          if (found) resolve({ url: found[0], child })
        })
        child.once('exit', () => reject(new Error(log)))
      }),
    async end() {
      await Promise.all([
        ...commands.map(stop),
        ...children
          .filter((child) => child.exitCode === null && child.signalCode === null)
          .map((child) => {
            const ended = new Promise((resolve) => child.once('exit', resolve))
            child.kill('SIGTERM')
            return ended
          }),
      ])
    },
  }
}

/** The second signal ends the wait for requests in flight and for load balancers. */
async function stop(command: CommandHere): Promise<void> {
  command.kill()
  const timer = setInterval(() => command.kill(), 20)
  await command.ended.catch(() => {})
  clearInterval(timer)
}

/** Server entries for a configuration. */
export const everything: ServerEntry = nodeEntry(referenceServer('everything'))
/** Has the tools of `everything`, and starts with a fraction of its CPU time. */
export const recorded: ServerEntry = nodeEntry(
  join(import.meta.dirname, '../upstreams/fixtures/recorded-server.mjs'),
)
export const modern: object = { ...modernServer(['only']).connection, kind: undefined }

/** An entry of a server with the tools of `examples/catalogue-server.ts`, which takes longer to start. */
export async function exampleServer(folder: string): Promise<ServerEntry> {
  const instructions = 'The tools of an invented company. They only say that they were called.'
  const tools = myTools.map(({ source: _, ...tool }) => ({
    ...tool,
    name: tool.name.replace(/^mcp__/, ''),
  }))
  const file = join(folder, 'company.json')
  await writeFile(file, JSON.stringify({ instructions, tools }))
  return { ...recorded, args: [...recorded.args, file] }
}

interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
}

function nodeEntry(...args: string[]): ServerEntry {
  return { command: process.execPath, args }
}

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
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function textOf(result: unknown): string {
  return String((result as { content: { text?: unknown }[] }).content[0]?.text)
}
