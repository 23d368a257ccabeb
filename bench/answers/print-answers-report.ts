import { markdownTable } from '../table.ts'
import type { AnswersReport, Sizes } from './answers-report.ts'

export function printAnswersReport(report: AnswersReport): string {
  const { list, schemas, parameters, lookups, several, together, none } = report
  return [
    '# What a search answer costs',
    '',
    `${report.date.slice(0, 10)}. A gateway with default settings in front of ${number(report.servers)} published servers with`,
    `${number(report.tools)} tools, and ${number(report.requests)} requests. Tokens are counted with o200k_base.`,
    '',
    '## Tokens of an answer',
    '',
    ...markdownTable(
      ['', 'answers', 'median', 'p90', 'largest'],
      [
        row('whole schemas, all answers', schemas.all),
        row('parameters in one line, all answers', parameters.all),
        row('whole schemas, answers with five tools', schemas.fiveTools),
        row('parameters in one line, answers with five tools', parameters.fiveTools),
      ],
    ),
    '',
    `${number(report.withoutParameters)} of the ${number(report.shownTools)} tools in these answers lack their parameters, so that a model has to call`,
    '`describe_tools` before it can call them.',
    '',
    '## Tokens of the tool list',
    '',
    ...markdownTable(
      ['', 'tokens'],
      [
        ['every tool', number(list.everyTool)],
        ['the tools of the gateway', number(list.gateway)],
        ['of these, the names of the servers and what they are about', number(list.directory)],
      ],
    ),
    '',
    '## Searches until a tool is found',
    '',
    ...markdownTable(
      ['', 'found', 'of', 'share'],
      [
        share('one need: a right tool in the first answer', lookups.first, lookups.requests),
        share('of these, as a candidate', lookups.asCandidate, lookups.first),
        share('several needs in one query: needs met', several.met, several.needs),
        share('three keyword queries, three calls', together.foundAlone, together.queries),
        share('three keyword queries, one call', together.foundTogether, together.queries),
        share('no tool fits: no tool returned', none.noTool, none.requests),
      ],
    ),
    '',
    `Three calls return ${number(together.tokensAlone)} tokens (median), one call with three \`queries\` ${number(together.tokensTogether)}.`,
  ].join('\n')
}

function row(label: string, { answers, median, p90, max }: Sizes): string[] {
  return [label, number(answers), number(median), number(p90), number(max)]
}

function share(label: string, part: number, whole: number): string[] {
  return [label, number(part), number(whole), `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`]
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
