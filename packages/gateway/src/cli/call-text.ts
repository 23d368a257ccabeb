import type { CallEvent } from '../inspection/activity/activity-report.ts'
import { isScriptTool } from '../offering/meta-tools/script-tool-names.ts'

/** What an agent called, with the script that made the call. */
export function callText({ tool, script }: Pick<CallEvent, 'tool' | 'script'>): string {
  if (script === undefined) return `called ${tool}`
  return isScriptTool(tool) ? `ran script ${script} (${tool})` : `script ${script} called ${tool}`
}
