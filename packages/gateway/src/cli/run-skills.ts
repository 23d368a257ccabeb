import { join, sep } from 'node:path'
import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
import { fileTokens, skillReport, skillTokens } from '../inspection/skill-report.ts'
import { describeSkill } from '../offering/describe-skill.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { SkillOrigin } from '../offering/skill-files.ts'
import { unknownSkill } from '../offering/unknown-skill.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import { placeOfProblem, type SkillProblem } from '../skills/scan-folders.ts'
import { skillName } from '../skills/skill-names.ts'
import { approvalNotes } from './approval-notes.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { fetchSkills } from './fetch-skills.ts'
import { count, paint, shorten } from './format.ts'
import { plain, plainJson, plainLines } from './plain.ts'
import { withGateway } from './with-gateway.ts'

/** Resolves to 1 if a skill cannot be read, or if a folder or a server has an invalid skill. */
export function runSkills(call: CommandCall): Promise<number> {
  const { terminal, args, values } = call
  return withGateway(
    call,
    async ({ gateway, skillFolders, fleet }) => {
      const { skills } = gateway
      if (args.length > 0) return showSkills(call, gateway, skillFolders.problems)
      const listed = skills.list()
      const problems = [...skillFolders.problems, ...refusedSkills(fleet)]
      if (values.json) {
        terminal.print(
          plainJson({ skills: listed.map((origin) => dataOf(origin, gateway)), problems }, 2),
        )
        return problems.length > 0 ? FAILED : OK
      }
      const notes = approvalNotes(gateway)
      for (const { name, skill } of listed) {
        const { description } = skill.entry.frontmatter
        const note = notes.get(name)?.short
        const sign = note === undefined ? '' : `  ${note}`
        const room = Math.max(20, terminal.width - name.length - 2 - sign.length)
        const start = `${paint(terminal, 'bold', plain(name))}${sign && paint(terminal, 'yellow', sign)}`
        terminal.print(`${start}  ${shorten(plain(description), room)}`)
      }
      for (const problem of problems) {
        const place = 'file' in problem ? placeOfProblem(problem) : problem.server
        terminal.say(`${plain(place)}: ${plain(problem.message)}`)
      }
      if (listed.length === 0 && problems.length === 0) {
        terminal.say(
          'No skills. Servers offer them, or add folders: "toolsearch": { "skills": ["./skills"] }.',
        )
      }
      return problems.length > 0 ? FAILED : OK
    },
    values.refresh ? 'all' : 'unknown',
  )
}

async function showSkills(
  { args, values, terminal }: CommandCall,
  gateway: Gateway,
  problems: readonly SkillProblem[],
): Promise<number> {
  const { skills } = gateway
  await fetchSkills(gateway, args)
  const found = args.map((name) => {
    const file = skills.find(name)
    if (file) return file
    const folder = name.startsWith(skillName(LOCAL_SKILLS, ''))
      ? join(name.slice(skillName(LOCAL_SKILLS, '').length), 'SKILL.md')
      : undefined
    const invalid = problems.find((problem) => folder && problem.file.endsWith(join(sep, folder)))
    throw new UsageError(
      invalid
        ? `The skill "${name}" is invalid. ${placeOfProblem(invalid)}: ${invalid.message}`
        : `${unknownSkill(name, skills)} List the skills with: toolsearch skills`,
    )
  })
  let code = OK
  const data: object[] = []
  for (const file of found) {
    const { origin } = file
    const content = await describeSkill(
      file,
      {
        files: skills,
        nameOf: gateway.nameOf,
        hasTool: (name) => gateway.toolSearch.catalogue.has(name),
      },
      { isReview: true },
    )
    if ('problem' in content) code = FAILED
    data.push({ ...dataOf(origin, gateway), file: file.path, ...content })
    if (values.json) continue
    if ('problem' in content) terminal.say(plain(content.problem))
    else terminal.print(plainLines(content.text))
    const files = count(origin.skill.entry.resources.length, 'file')
    const more = file.path === 'SKILL.md' ? `, ${files}` : ''
    terminal.say(`${count(fileTokens(file.file), 'token')}${more}`)
  }
  if (values.json) terminal.print(plainJson(data, 2))
  return code
}

/** The skills of servers that cannot be offered, and why. */
function refusedSkills({
  upstreams,
}: Pick<UpstreamSet, 'upstreams'>): { readonly server: string; readonly message: string }[] {
  return [...upstreams.values()].flatMap(({ name, status }) =>
    status.refused.flatMap(({ isSkill, tool, reason }) =>
      isSkill ? [{ server: name, message: `${tool}: ${reason}` }] : [],
    ),
  )
}

function dataOf(origin: SkillOrigin, gateway: Gateway): object {
  const { name, server, skill } = origin
  return {
    name,
    server,
    ...skill.entry,
    tokens: skillTokens(origin),
    tools: skillReport(origin, gateway)?.tools ?? [],
  }
}
