import { decodeText } from '../../skills/decode-text.ts'
import type { SkillChanges, SkillFileText, ToolReport } from '../api.ts'
import { callFromPage } from '../call-from-page.ts'
import type { InspectionTarget } from '../inspection-target.ts'
import { forgetLearned, learnedReport } from '../learned-report.ts'
import { overview } from '../overview.ts'
import { readToolCall } from '../read-action.ts'
import { RequestError } from '../read-request.ts'
import { toolReport } from '../tool-report.ts'
import type { RouteContext, Routes } from './route.ts'

/** The catalogue, single tools, and decisions about them. */
export const CATALOGUE_ROUTES: Routes = {
  '/api/overview': {
    GET: async ({ target, snapshot, lab, url }) => {
      await refreshApprovals(target)
      return overview(target, snapshot(), await lab.rankers(), url.origin)
    },
  },
  '/api/tools': {
    GET: async ({ target, snapshot }) => {
      await refreshApprovals(target)
      return snapshot().list
    },
  },
  '/api/tools/NAME': {
    GET: async (context) => {
      await refreshApprovals(context.target)
      return existingToolReport(context)
    },
  },
  '/api/tools/NAME/accept': {
    POST: {
      action: 'tool.accept',
      run: async (context) => decide(context, ({ gateway }, name) => gateway.acceptTool(name)),
    },
  },
  '/api/tools/NAME/block': {
    POST: {
      action: 'tool.block',
      run: async (context) => decide(context, ({ gateway }, name) => gateway.blockTool(name)),
    },
  },
  '/api/tools/NAME/undo': {
    POST: {
      action: 'tool.undo',
      async run(context) {
        const { target, live, name } = context
        existingToolReport(context)
        if (!target.gateway.undoDecision(name)) {
          throw new RequestError(409, `There is no decision about ${name} to undo.`)
        }
        live.refresh()
        await store(target)
        return existingToolReport(context)
      },
    },
  },
  '/api/tools/NAME/changes': {
    GET: async ({ target: { gateway }, name }): Promise<SkillChanges> => {
      const files = await gateway.skillChanges(name)
      return files ? { files } : {}
    },
  },
  '/api/tools/NAME/file': {
    GET: async ({
      target: { gateway },
      name,
      url,
      request: { signal },
    }): Promise<SkillFileText> => {
      const path = url.searchParams.get('path') ?? 'SKILL.md'
      const { skills } = gateway
      const found = skills.find(`${name}/${path}`)
      if (!found) throw new RequestError(404, `There is no skill "${name}" with a file "${path}".`)
      const content = await skills
        .read(found, { isReview: true, signal })
        .catch((error: Error) => ({ problem: error.message }))
      if ('problem' in content) return content
      const text = decodeText(content)
      return text === undefined ? { problem: 'This is a binary file.' } : { text }
    },
  },
  '/api/tools/NAME/learned': {
    GET: async ({ target, name }) => learnedReport(target, name),
    DELETE: {
      action: 'learned.forget',
      async run({ target, name, url }) {
        const { learning } = target
        const words = url.searchParams.get('words') ?? undefined
        if (learning === undefined || (await forgetLearned(learning, name, words)) === 0) {
          throw new RequestError(404, `Nothing like that was learned for ${name}.`)
        }
        return learnedReport(target, name)
      },
    },
  },
  '/api/tools/NAME/call': {
    POST: {
      action: 'tool.call',
      isRecordedByGates: true,
      async run(context) {
        const { target, request, person } = context
        const call = await readToolCall(request)
        const { signal } = request
        return callFromPage(target, existingToolReport(context), call, { person, signal })
      },
    },
  },
}

/** @throws RequestError if there is no such tool, or if it is not the one that the person reviewed */
async function decide(
  context: RouteContext,
  decision: (target: InspectionTarget, name: string) => boolean,
): Promise<ToolReport> {
  const { target, live, name, url } = context
  const fingerprint = url.searchParams.get('fingerprint')
  if (fingerprint !== null && fingerprint !== existingToolReport(context).fingerprint) {
    throw new RequestError(409, `${name} changed again in the meantime. Review it once more.`)
  }
  if (!decision(target, name)) throw unknownTool(name)
  live.refresh()
  await store(target)
  return existingToolReport(context)
}

/** @throws RequestError if other replicas cannot learn about a decision yet */
async function store({ approvals }: InspectionTarget): Promise<void> {
  try {
    await approvals.saved()
  } catch (error) {
    const { message } = error as Error
    throw new RequestError(
      503,
      `The decision applies to this gateway, but could not be stored yet. ${message}`,
    )
  }
}

function existingToolReport({ target, snapshot, name }: RouteContext): ToolReport {
  const report = toolReport(target, snapshot(), name)
  if (report) return report
  throw unknownTool(name)
}

function unknownTool(name: string): RequestError {
  return new RequestError(404, `There is no tool "${name}". GET /api/tools lists all tools.`)
}

/** Picks up what `toolsearch accept` decided in another process. */
async function refreshApprovals({ gateway, approvals }: InspectionTarget): Promise<void> {
  if (gateway.waitingTools().length === 0) return
  await approvals.refresh()
  gateway.applyApprovals()
}
