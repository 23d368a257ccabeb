import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk'

const require = createRequire(import.meta.url)

/** Whether npm installed Claude Code for this platform. It is an optional dependency. */
export function hasClaudeCode(): boolean {
  const { platform, arch } = process
  return ['', '-musl'].some((libc) => {
    const name = `@anthropic-ai/claude-agent-sdk-${platform}-${arch}${libc}`
    const paths = require.resolve.paths(name) ?? []
    return paths.some((path) => existsSync(join(path, name)))
  })
}

export interface ClaudeCode {
  /** Sends a message and returns everything up to the result. */
  say(text: string): Promise<readonly SDKMessage[]>
  interrupt(): Promise<void>
  close(): Promise<void>
}

export interface ClaudeCodeOptions {
  /** The address of the checking server. */
  readonly url: string
  /** Where Claude Code keeps its conversations. */
  readonly home: string
  readonly options: Options
}

/** Starts the real Claude Code, which sends its requests to `url` and nowhere else. */
export function startClaudeCode({ url, home, options }: ClaudeCodeOptions): ClaudeCode {
  const inputs: SDKUserMessage[] = []
  let wake = () => {}
  let isClosed = false
  async function* prompt(): AsyncGenerator<SDKUserMessage> {
    while (!isClosed) {
      const next = inputs.shift()
      if (next) yield next
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  let exit = () => {}
  const exited = new Promise<void>((resolve) => (exit = resolve))
  const running = query({
    prompt: prompt(),
    options: {
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      systemPrompt: 'Be kind.',
      model: 'claude-opus-5',
      cwd: home,
      env: claudeEnv(url, home),
      spawnClaudeCodeProcess({ command, args, cwd, env, signal }) {
        const stdio = ['pipe', 'pipe', 'ignore'] as const
        const child = spawn(command, args, { cwd, env, signal, stdio: [...stdio] })
        child.on('exit', exit)
        return child
      },
      ...options,
    },
  })
  return {
    async say(text) {
      const message = { role: 'user', content: text } as const
      inputs.push({ type: 'user', message, parent_tool_use_id: null, session_id: '' })
      wake()
      const seen: SDKMessage[] = []
      for (;;) {
        const { value, done } = await running.next()
        if (done) throw new Error('Claude Code ended.')
        seen.push(value)
        if (value.type === 'result') return seen
      }
    },
    interrupt: async () => void (await running.interrupt()),
    async close() {
      isClosed = true
      wake()
      // Ends with the process. An interrupted query ends with an error.
      await running.return(undefined).catch(() => {})
      await exited
    },
  }
}

/** Without the user's settings, with no traffic except to the model. */
export function claudeEnv(url: string, home: string): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }
}

/** An empty folder that serves as home. */
export async function createHome(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'toolsearch-claude-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}
