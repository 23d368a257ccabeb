import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startCheckingServer } from 'toolsearch-checking-server'
import { CONVERSATIONS } from './conversations.ts'
import { listSamples } from './pages.ts'
import { SERVICES } from './sample-services.ts'

export const SAMPLES = 'docs/samples/'
/** This sample asks a running gateway. */
export const ASKS_GATEWAY = 'inspector/overview.ts'

/** The TypeScript samples as paths in docs/samples. */
export function listPrograms(): string[] {
  return listSamples()
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(SAMPLES.length))
}

const redirect = fileURLToPath(new URL('./redirect-requests.js', import.meta.url))

export interface SampleRun {
  readonly code: number
  /** What the sample printed. */
  readonly output: string
  /** What went wrong with its requests, in sentences. */
  readonly problems: readonly string[]
}

export interface RunSampleOptions {
  /** The program as arguments of Node.js. */
  readonly args: readonly string[]
  /** The folder in which the sample runs. It is created if it does not exist. */
  readonly cwd: string
  /** The address of a server that is already running. */
  readonly url?: string
}

/** Runs a sample against a checking server that plays its model, and checks its requests. */
export async function runSample(sample: string, options: RunSampleOptions): Promise<SampleRun> {
  const { args, cwd } = options
  const conversation = CONVERSATIONS[sample]
  const server = conversation && (await startCheckingServer(conversation))
  const service = await SERVICES[sample]?.()
  const url = options.url ?? server?.url
  await mkdir(cwd, { recursive: true })
  await writeFile(`${cwd}/notes.txt`, 'Buy milk.\n')
  const keys = { ANTHROPIC_API_KEY: 'key', OPENAI_API_KEY: 'key', GEMINI_API_KEY: 'key' }
  const quiet = {
    LANGSMITH_TRACING: 'false',
    MASTRA_TELEMETRY_DISABLED: '1',
    // the SDK would send its traces to the model's server
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  }
  try {
    const { code, output } = await runNode(['--import', redirect, ...args], {
      cwd,
      env: {
        ...keys,
        ...quiet,
        MODEL_URL: url,
        npm_config_offline: 'true',
        TOOLSEARCH_CACHE: cwd,
        ...service?.env,
        ...(url !== undefined && conversation?.env?.(url, cwd)),
      },
    })
    const rejected = server?.requests.flatMap(({ problem }) => problem ?? []) ?? []
    const accepted = (server?.requests.length ?? 0) - rejected.length
    const { replies = [], rejected: expected = 0 } = conversation ?? {}
    const problems: string[] = []
    if (rejected.length !== expected) {
      problems.push(
        ...rejected.map(({ body }) => `A request was rejected: ${JSON.stringify(body)}`),
      )
    }
    if (accepted !== replies.length) {
      problems.push(`The model replied ${accepted} times instead of ${replies.length}.`)
    }
    return { code, output, problems }
  } finally {
    await server?.close()
    await service?.close()
  }
}

export interface RunNodeOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

export function runNode(
  args: readonly string[],
  { cwd, env = {} }: RunNodeOptions,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env } }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}
