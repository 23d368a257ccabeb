export const TOOL_CALL = 'tool.call'

const NAMES: Readonly<Record<string, string>> = {
  'POST /api/tools/NAME/accept': 'tool.accept',
  'POST /api/tools/NAME/block': 'tool.block',
  'POST /api/tools/NAME/undo': 'tool.undo',
  'POST /api/tools/NAME/call': TOOL_CALL,
  'DELETE /api/tools/NAME/learned': 'learned.forget',
  'POST /api/servers/NAME/restart': 'server.restart',
  'POST /api/servers/NAME/sign-in': 'server.sign-in',
  'POST /api/config': 'config.edit',
  'POST /api/config/undo': 'config.undo',
  'POST /api/keys': 'key.create',
  'DELETE /api/keys/NAME': 'key.revoke',
  'POST /api/saved': 'query.save',
  'DELETE /api/saved': 'query.remove',
}

/**
 * What the audit log calls a request to the API that changes something.
 *
 * @param key the path with NAME in place of a name
 */
export function actionName(method: string, key: string): string {
  const request = `${method} ${key}`
  return Object.hasOwn(NAMES, request) ? NAMES[request]! : request
}
