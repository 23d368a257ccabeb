import type { ConfigEdit, ServerReport, SignInStart } from '../api.ts'
import type { ConfigEditor } from '../editing/config-editor.ts'
import type { InspectionTarget } from '../inspection-target.ts'
import { isSkillFolders, NOT_EDITABLE, serverReports } from '../overview.ts'
import { readChangeId, readConfigEdit } from '../read-action.ts'
import { RequestError } from '../read-request.ts'
import type { RouteContext, Routes } from './route.ts'

/** Servers, and edits of the configuration file. */
export const SERVER_ROUTES: Routes = {
  '/api/servers/NAME/restart': {
    POST: {
      action: 'server.restart',
      async run({ target, snapshot, name }): Promise<ServerReport> {
        if (!(await target.restartServer(name))) throw unknownServer(target, name)
        const report = serverReports(target, snapshot().cost).find((each) => each.name === name)
        if (!report) throw unknownServer(target, name)
        return report
      },
    },
  },
  '/api/servers/NAME/sign-in': {
    POST: {
      action: 'server.sign-in',
      async run({ target, name }): Promise<SignInStart> {
        const { servers, startSignIn } = target
        if (!servers.upstreams.has(name)) throw unknownServer(target, name)
        const command = `toolsearch sign-in ${name}`
        if (!startSignIn) throw new RequestError(409, `Sign in on the command line: ${command}.`)
        try {
          return { url: await startSignIn(name) }
        } catch (error) {
          throw new RequestError(409, (error as Error).message)
        }
      },
    },
  },
  '/api/config': {
    POST: {
      action: 'config.edit',
      async run(context) {
        const { target, live } = context
        const edit = await readEdit(context)
        const report = await existingEditor(target).apply(edit)
        live.send({ kind: 'config' })
        live.refresh()
        return report
      },
      dryRun: async (context) => existingEditor(context.target).preview(await readEdit(context)),
    },
  },
  '/api/config/changes': { GET: async ({ target }) => existingEditor(target).list() },
  '/api/config/undo': {
    POST: {
      action: 'config.undo',
      async run({ target, live, request }) {
        const report = await existingEditor(target).undo(await readChangeId(request))
        live.send({ kind: 'config' })
        live.refresh()
        return report
      },
    },
  },
}

/** @throws RequestError */
async function readEdit({ target, request }: RouteContext): Promise<ConfigEdit> {
  const edit = await readConfigEdit(request)
  existingEditor(target)
  checkTool(target, edit)
  return edit
}

/** @throws RequestError */
function existingEditor({ editor }: InspectionTarget): ConfigEditor {
  if (editor) return editor
  throw new RequestError(409, NOT_EDITABLE)
}

/** Rejects settings for a tool that the server does not have. Removing them is always possible. */
function checkTool({ servers }: InspectionTarget, edit: ConfigEdit): void {
  if (!('tool' in edit) || ['allow', 'undeny', 'unpin'].includes(edit.action)) return
  if ('value' in edit && edit.value === null) return
  const tools = servers.upstreams.get(edit.server)?.tools
  // The tools of a server that never connected are unknown.
  if (!tools || tools.length === 0 || tools.some(({ name }) => name === edit.tool)) return
  throw new RequestError(404, `${edit.server} has no tool "${edit.tool}".`)
}

function unknownServer(target: InspectionTarget, name: string): RequestError {
  const running = [...target.servers.upstreams.keys()]
  const names = running.filter((each) => !isSkillFolders(target, each)).join(', ')
  return new RequestError(404, `There is no running server "${name}". Servers: ${names}.`)
}
