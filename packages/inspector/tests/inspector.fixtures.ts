import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { type ScriptedAgent, scriptedAgent } from '../../../examples/scripted-agent.ts'
import { everything, exampleServer, serving } from '../../gateway/src/cli/serving.fixtures.ts'

const shop = fileURLToPath(new URL('./fixtures/shop-server.mjs', import.meta.url))

export interface StartOptions {
  /** Number of tools of the shop server. @default 12 */
  readonly tools?: number
  /** Adds the servers of the demo. @default false */
  readonly hasDemoServers?: boolean
  readonly token?: string
  /** Settings of the gateway. */
  readonly settings?: object
}

/** A gateway with the page, in front of servers that tests control. */
export interface Inspector {
  /** The URL of the page. */
  readonly page: string
  readonly configFile: string
  agent(name?: string): Promise<ScriptedAgent>
  /** Ends the shop server, which prints this to stderr, and keeps it from starting again. */
  killShop(logOutput: string): Promise<void>
  reviveShop(): Promise<void>
  /** Changes the description of the shop's first tool. */
  rewordShop(description: string): Promise<void>
  /** Restarts the gateway on the same port. */
  restart(): Promise<void>
  end(): Promise<void>
}

export async function startInspector(options: StartOptions = {}): Promise<Inspector> {
  const { tools = 12, hasDemoServers = false, token, settings } = options
  const mcpServers: Record<string, object> = {}
  const gateway = await serving({ mcpServers })
  const control = join(gateway.folder, 'shop')
  await mkdir(control)
  if (hasDemoServers) {
    mcpServers.company = await exampleServer(gateway.folder)
    mcpServers.everything = everything
  }
  mcpServers.shop = { command: process.execPath, args: [shop, String(tools), control] }
  if (token !== undefined) gateway.env.TOOLSEARCH_TOKEN = token
  await gateway.write({ mcpServers, ...(settings && { toolsearch: settings }) })
  let { url, command } = await gateway.http()
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await untilReady(url, headers)
  return {
    page: new URL('/', url).href,
    configFile: join(gateway.folder, 'toolsearch.json'),
    agent: (name = 'test-agent') =>
      scriptedAgent(url, { name, ...(token !== undefined && { token }) }),
    killShop: (logOutput) => writeFile(join(control, 'die'), logOutput),
    reviveShop: () => rm(join(control, 'die')),
    rewordShop: (description) => writeFile(join(control, 'words'), description),
    async restart() {
      command.kill()
      await command.ended
      ;({ url, command } = await gateway.http('--port', new URL(url).port))
      await untilReady(url, headers)
    },
    end: gateway.end,
  }
}

async function untilReady(url: string, headers: Record<string, string>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const response = await fetch(new URL('/api/overview', url), { headers })
    const { servers } = (await response.json()) as { servers: { state: string }[] }
    if (servers.length > 0 && servers.every(({ state }) => state === 'ready' || state === 'idle'))
      return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The servers did not become ready.')
}

/** An open page, and everything it did wrong. */
export interface Visit {
  readonly page: Page
  /** Console errors, policy violations and requests to other sites. */
  readonly problems: string[]
}

/** Opens an address in a new page. */
export async function visit(page: Page, address: string): Promise<Visit> {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL('/', address).href)) problems.push(request.url())
  })
  await page.goto(address)
  return { page, problems }
}
