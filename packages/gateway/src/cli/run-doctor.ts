import { whyNotLocal } from '../accounts/local-servers.ts'
import { costReport } from '../inspection/cost-report.ts'
import { lintCatalogue } from '../inspection/lint-catalogue.ts'
import { serverOf } from '../inspection/tool-summary.ts'
import { placeOfProblem } from '../skills/scan-folders.ts'
import { stateFolder } from '../system/data-folders.ts'
import { recentLog } from '../upstreams/recent-log.ts'
import { checkEmbedder } from './check-embedder.ts'
import { checkTeam, stdioNote } from './check-team.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { count, paint, wrap } from './format.ts'
import { groupFindings } from './group-findings.ts'
import { plain, plainJson } from './plain.ts'
import { withGateway } from './with-gateway.ts'

export function runDoctor(call: CommandCall): Promise<number> {
  // The report shows how each server did, so progress only names those that take long.
  return withGateway(
    call,
    async (open, statuses) => {
      const { fleet, gateway, config, skillFolders } = open
      const { terminal, values } = call
      const hiddenTools = gateway.hiddenTools()
      const invalidSkills = skillFolders.problems
      const servers = [...fleet.upstreams.values()].map(({ name, status, tools, skills: own }) => {
        const hidden = hiddenTools.filter(({ server }) => server === name).length
        return {
          name,
          ...(statuses.get(name) ?? status),
          tools: tools.length - hidden,
          hidden,
          ...(own.length > 0 && { skills: own.length }),
        }
      })
      const unchecked = config.servers.flatMap((server) => {
        const why = whyNotLocal(server, call.env)
        return why === undefined ? [] : [{ name: server.name, why }]
      })
      const changed = gateway.changedTools()
      const embedder = config.embedder && (await checkEmbedder(config.embedder))
      const team = await checkTeam(open, stateFolder(call.env))
      const setup = [...(embedder ? [embedder] : []), ...team, ...gateway.setupProblems()]
      // Over HTTP, people have groups: a gateway with sign-in is not meant for stdio.
      const note = config.identity ? undefined : stdioNote(config)
      const { catalogue } = gateway.toolSearch
      const findings = lintCatalogue(gateway.toolSearch, changed, setup)
      const { advice } = costReport(catalogue.tools(), gateway.listTools())
      const isHealthy =
        changed.length === 0 &&
        setup.length === 0 &&
        invalidSkills.length === 0 &&
        servers.every(({ state, refused }) => state === 'ready' && refused.length === 0)
      if (values.json) {
        terminal.print(
          plainJson(
            {
              servers,
              ...(unchecked.length > 0 && { unchecked }),
              hidden: hiddenTools,
              findings,
              ...(note && { note }),
              ...(invalidSkills.length > 0 && { invalidSkills }),
              ...(advice && { advice }),
            },
            2,
          ),
        )
        return isHealthy ? OK : FAILED
      }
      // Programs that read the output, whose width is the default, get each message on one line.
      const fit = (text: string, indent: number) =>
        terminal.width < 100 ? wrap(text, terminal.width, indent) : text
      const print = (text: string, indent: number) => terminal.print(fit(text, indent))
      /** The sign is painted afterwards, because colours have no width. */
      const printSigned = (sign: string, colour: 'green' | 'red' | 'yellow', text: string) =>
        terminal.print(`${paint(terminal, colour, sign)}${fit(`${sign} ${text}`, 2).slice(1)}`)
      for (const { name, state, detail, logOutput, refused, tools, hidden, skills } of servers) {
        const isReady = state === 'ready'
        const byRules = hidden > 0 ? `, ${hidden} hidden by rules` : ''
        const more = skills === undefined ? '' : `, ${count(skills, 'skill')}`
        const offered = `${count(tools, 'tool')}${byRules}${more}`
        if (isReady) printSigned('✓', 'green', `${plain(name)}: ${offered}`)
        else printSigned('✗', 'red', `${plain(name)}: ${state}`)
        const lines = isReady ? [] : recentLog(logOutput)
        if (detail !== undefined) print(`    ${plain(isReady ? detail : withoutLog(detail))}`, 4)
        for (const line of lines) terminal.print(`    | ${plain(line)}`)
        for (const { tool, reason } of refused) {
          print(`    ${plain(tool)}: ${plain(reason)}`, 6)
        }
      }
      if (skillFolders.skills.length > 0) {
        printSigned('✓', 'green', `folders: ${count(skillFolders.skills.length, 'skill')}`)
      }
      for (const problem of invalidSkills) {
        printSigned('✗', 'red', `${plain(placeOfProblem(problem))}: ${plain(problem.message)}`)
      }
      for (const { name, why } of unchecked) printSigned('-', 'yellow', `${plain(name)} ${why}`)
      const serverOfTool = (name: string) => {
        const tool = catalogue.get(name)
        return tool && serverOf(tool)
      }
      const waiting = gateway.waitingTools().filter(({ kind }) => kind === 'new').length
      const messages = [
        ...groupFindings(findings, serverOfTool),
        ...(waiting > 0
          ? [`${count(waiting, 'new tool')} not approved yet. Run toolsearch review.`]
          : []),
        ...(note ? [note] : []),
        ...(advice ? [advice] : []),
      ]
      if (messages.length > 0) terminal.print('')
      for (const message of messages) {
        printSigned('!', 'yellow', plain(message))
      }
      return isHealthy ? OK : FAILED
    },
    { connect: 'all', isQuiet: true, areRecordsOptional: true },
  )
}

/** The detail of a failure ends with the last log output, which is shown below it. */
function withoutLog(detail: string): string {
  return detail.split('\nRecent log output:')[0]!
}
