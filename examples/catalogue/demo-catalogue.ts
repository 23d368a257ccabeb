import type { ToolDefinition } from 'toolsearch'
import { builtInTools } from './built-in.ts'
import { calendarTools } from './calendar.ts'
import { chatTools } from './chat.ts'
import { codeHostingTools } from './code-hosting.ts'
import { databaseTools } from './database.ts'
import { filesTools } from './files.ts'
import { mailTools } from './mail.ts'
import { monitoringTools } from './monitoring.ts'
import { paymentsTools } from './payments.ts'
import { ticketsTools } from './tickets.ts'

/**
 * What an agent in a small company might be given: four built-in tools and nine MCP servers.
 * The servers are imaginary; the size and shape of their tools are not.
 */
export const demoCatalogue: readonly ToolDefinition[] = [
  ...builtInTools,
  ...codeHostingTools,
  ...chatTools,
  ...calendarTools,
  ...mailTools,
  ...filesTools,
  ...databaseTools,
  ...monitoringTools,
  ...paymentsTools,
  ...ticketsTools,
]
