import type { Caller } from '../identity/caller.ts'
import type { CallTarget } from '../offering/gateway-view.ts'
import { isObject, textOf } from '../protocol/json-object.ts'
import { methodOf } from '../protocol/methods.ts'
import { nameOfUri, placeOfSkill } from '../skills/skill-names.ts'
import type { AgentRequest, RequestTarget } from './request-gate.ts'
import type { CallerRequest } from './view-contents.ts'

/** What a request other than a call is for. Undefined if its sender may not know it. */
export type FindTarget = (
  request: Pick<AgentRequest, 'caller' | 'method' | 'params'>,
) => Promise<RequestTarget | undefined>

export interface FindTargetOptions {
  readonly viewOf: (caller: Caller) => CallerRequest
  readonly targetOfTask: (id: string, request: CallerRequest) => Promise<CallTarget | undefined>
}

export function createFindTarget({ viewOf, targetOfTask }: FindTargetOptions): FindTarget {
  return async ({ caller, method, params }) => {
    const request = viewOf(caller)
    const { name, uri, ref, taskId } = params
    switch (methodOf(method).target) {
      case 'prompt':
        return promptTarget(textOf(name), request)
      case 'resource':
      case 'skill':
        return resourceTarget(textOf(uri), request)
      case 'completion':
        if (!isObject(ref)) return undefined
        return ref.type === 'ref/prompt'
          ? promptTarget(textOf(ref.name), request)
          : resourceTarget(textOf(ref.uri), request)
      case 'task':
        return targetOfTask(textOf(taskId), request)
      default:
        return undefined
    }
  }
}

async function promptTarget(
  name: string,
  { prompts }: CallerRequest,
): Promise<RequestTarget | undefined> {
  const found = await prompts.find(name)
  return found && { kind: 'prompt', server: found.upstream.name, name: found.name }
}

async function resourceTarget(
  uri: string,
  { resources, view, caller }: CallerRequest,
): Promise<RequestTarget | undefined> {
  const skill = placeOfSkill(nameOfUri(uri) ?? '')
  if (skill && view.servers.upstreams.has(skill.server)) {
    return { kind: 'skill', server: skill.server, name: skill.path }
  }
  const upstream = await resources.find(uri, { person: caller.person.id })
  return upstream && { kind: 'resource', server: upstream.name, name: uri }
}
