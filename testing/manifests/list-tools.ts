import { Client, type Tool } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** How to start a server. */
export interface ServerProcess {
  /** A JavaScript file. */
  readonly file: string
  readonly args: readonly string[]
  /** Variables in addition to `PATH` and the few others that every process needs. */
  readonly env: Readonly<Record<string, string>>
  /** An empty folder: the working directory and the home directory of the server. */
  readonly folder: string
  /** How long the server may take to start and to answer. */
  readonly timeoutMs: number
}

const LOG_CHARACTERS = 500

/**
 * Starts a server, reads every page of `tools/list` and ends the process.
 *
 * @throws with the recent log output of the server in the message
 */
export async function listTools(server: ServerProcess): Promise<Tool[]> {
  const { file, args, env, folder, timeoutMs } = server
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, ...args],
    env: { ...getDefaultEnvironment(), HOME: folder, USERPROFILE: folder, ...env },
    cwd: folder,
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-LOG_CHARACTERS)
  })
  const client = new Client({ name: 'toolsearch-manifests', version: '1.0.0' })
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    await client.connect(transport, { signal, timeout: timeoutMs })
    // Without a cursor, the client reads every page.
    const { tools } = await client.listTools(undefined, { signal, timeout: timeoutMs })
    return tools
  } catch (error) {
    const output = log.trim() === '' ? '' : `\nRecent log output:\n${log.trim()}`
    throw new Error(`${(error as Error).message}${output}`)
  } finally {
    await client.close()
  }
}
