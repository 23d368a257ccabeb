import { basename } from 'node:path'
import type { DetailedError, PolicyJson } from '@cedar-policy/cedar-wasm/nodejs'
import { subjectProblem } from '../../config/check-subjects.ts'
import type { ConfigProblem } from '../../config/config-problem.ts'
import type { CedarModule } from './cedar-module.ts'
import { groupsIn, unknownNames } from './observe-policies.ts'

/** A policy of a file. */
export interface Policy {
  /** For reasons: `policy0 in team.cedar`, or the name of its annotation `@id`. */
  readonly id: string
  readonly json: PolicyJson
}

export interface PolicyFile {
  readonly file: string
  readonly text: string
}

/** Reads the policies of all files, or says what is wrong with them. Never throws. */
export function readPolicies(
  cedar: CedarModule,
  files: readonly PolicyFile[],
  issuers: readonly string[] = [],
): { readonly policies: readonly Policy[] } | { readonly problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  const policies = new Map<string, Policy>()
  for (const { file, text } of files) {
    const parts = cedar.policySetTextToParts(text)
    if (parts.type === 'failure') {
      problems.push(...parts.errors.map((error) => problemOf(error, file, text)))
      continue
    }
    for (const template of parts.policy_templates) {
      const at = text.indexOf(template)
      problems.push({
        file,
        ...positionIn(text, at),
        message: 'This is a template: it contains ?principal or ?resource.',
        fix: 'Write a policy for each person or group.',
      })
    }
    let from = 0
    for (const [index, source] of parts.policies.entries()) {
      const read = cedar.policyToJson(source)
      const at = Math.max(0, text.indexOf(source, from))
      from = at + source.length
      if (read.type === 'failure') {
        problems.push(...read.errors.map((error) => problemOf(error, file, text, at)))
        continue
      }
      const place = nameOf(file, files)
      const named = `${read.json.annotations?.id ?? `policy${index}`} in ${place}`
      const id = policies.has(named) ? `policy${index} in ${place}` : named
      policies.set(id, { id, json: read.json })
      const ambiguous = groupsIn(read.json).flatMap((name) => subjectProblem(name, issuers) ?? [])
      for (const { message, fix } of [...unknownNames(read.json), ...ambiguous]) {
        problems.push({ file, ...positionIn(text, at), message, fix })
      }
    }
  }
  return problems.length > 0 ? { problems } : { policies: [...policies.values()] }
}

/** The short name of a file, unless another file has the same. */
function nameOf(file: string, files: readonly PolicyFile[]): string {
  const name = basename(file)
  return files.filter((other) => basename(other.file) === name).length > 1 ? file : name
}

function problemOf(
  { message, help, sourceLocations }: DetailedError,
  file: string,
  text: string,
  otherwise = 0,
): ConfigProblem {
  const bytes = sourceLocations?.[0]?.start
  const at =
    bytes === undefined ? otherwise : Buffer.from(text).subarray(0, bytes).toString().length
  return {
    file,
    ...positionIn(text, at),
    message: sentence(message),
    fix: help ? sentence(help) : 'See https://docs.cedarpolicy.com/policies/syntax-grammar.html.',
  }
}

function positionIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset))
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}

function sentence(text: string): string {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/.test(capitalized) ? capitalized : `${capitalized}.`
}
