// Ratel's package is a library; this is the program of its README: node ratel-server.js CONFIG
import { readFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { buildGatewayFromConfig, createMcpServer, parseConfig } from '@ratel-ai/mcp-server'

const config = parseConfig(JSON.parse(readFileSync(process.argv[2], 'utf8')))
const gateway = await buildGatewayFromConfig(config, { logger: () => {} })
const { upstreamServers } = gateway
const transport = new StdioServerTransport()
await createMcpServer(gateway.catalog, { name: 'ratel', version: '0', transport, upstreamServers })
const end = () => gateway.close().finally(() => process.exit(0))
process.stdin.once('end', end)
process.once('SIGTERM', end)
