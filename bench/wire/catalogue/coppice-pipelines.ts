import {
  answer,
  between,
  commitHash,
  cursor,
  include,
  notice,
  order,
  page,
  repository,
  safeguards,
} from './coppice-fields.ts'
import { choice, flag, integer, lines, list, object, text } from './json-schema.ts'
import type { ServerTool } from './server-tools.ts'

const runId = integer(
  'Id of the workflow run, from list_workflow_runs or from the link of a check. Not the run ' +
    'number shown in titles.',
  { minimum: 1 },
)

const conclusion = choice(
  ['success', 'failure', 'cancelled', 'timed_out', 'skipped', 'action_required'],
  'How a finished run ended.',
)

const environment = text(
  'Name of a deployment environment of the repository, for example "production-eu" or "staging".',
)

/** Tools of Coppice for workflows, deployments and releases. */
export const pipelineTools: readonly ServerTool[] = [
  {
    name: 'list_workflow_runs',
    description: lines(
      'List runs of the workflows (CI and delivery pipelines) of a repository, newest first: ' +
        'which workflow, what started it, for which commit, status, how it ended, how long it ' +
        'took.',
      'Use it to see whether the checks of a branch or a commit are green, or when a ' +
        'workflow began to fail. Jobs and steps are in get_workflow_run. Runs older than 400 ' +
        'days are gone.',
      'A commit usually has several runs, one for each workflow and event. The checks of a ' +
        'pull request are green only when all required ones are: get_pull_request with checks ' +
        'answers that directly.',
    ),
    inputSchema: object(
      {
        ...repository,
        workflow: text(
          'File name of the workflow such as "deliver.yaml", or its title. All workflows ' +
            'when left out.',
        ),
        branch: text('Branch the run was for.'),
        commit: commitHash,
        event: choice(
          ['push', 'pull_request', 'merge_queue', 'schedule', 'manual', 'release', 'deployment'],
          'What started the run.',
        ),
        status: choice(
          ['queued', 'waiting_for_approval', 'in_progress', 'completed'],
          'Where the run stands.',
        ),
        conclusion,
        actor: text('User name of whoever started it.'),
        latest_attempt_only: flag('Show only the last attempt of runs that were repeated.', true),
        ...between('runs created'),
        ...page,
        ...answer([
          'id',
          'workflow',
          'branch',
          'commit',
          'event',
          'status',
          'conclusion',
          'attempt',
          'actor',
          'started_at',
          'duration',
          'url',
        ]),
      },
      ['owner', 'repo'],
    ),
    annotations: { title: 'List workflow runs', readOnlyHint: true },
  },
  {
    name: 'get_workflow_run',
    description: lines(
      'Get one workflow run with its jobs and steps, each with status, duration and runner, ' +
        'and what it left behind.',
      'For a failed run the last lines of each failed step are included, which is often ' +
        'enough; read more with get_job_log. A run that waits for approval names the ' +
        'environment and the people who may approve.',
      'While a run is in progress, ask again no more often than every 30 seconds; queued ' +
        'jobs carry an estimate of when a runner will be free.',
    ),
    inputSchema: object(
      {
        ...repository,
        run_id: runId,
        attempt: integer('Which attempt of a repeated run. The last when left out.', {
          minimum: 1,
        }),
        include: include(
          ['jobs', 'steps', 'artifacts', 'annotations', 'approvals', 'inputs', 'timing'],
          ['jobs', 'annotations'],
        ),
        jobs: choice(
          ['all', 'failed', 'unfinished'],
          'Which jobs to list. A matrix can have hundreds.',
          'all',
        ),
        failure_lines: integer('Last lines of log shown for each failed step.', {
          minimum: 0,
          maximum: 100,
          default: 20,
        }),
        ...answer([
          'id',
          'workflow',
          'commit',
          'status',
          'conclusion',
          'jobs',
          'annotations',
          'artifacts',
          'approvals',
          'started_at',
          'finished_at',
          'url',
        ]),
      },
      ['owner', 'repo', 'run_id'],
    ),
    annotations: { title: 'Get workflow run', readOnlyHint: true },
  },
  {
    name: 'get_job_log',
    description: lines(
      'Read the log of one job, or of all failed jobs of a run. Logs are long: the answer ' +
        'starts with the steps that failed and is cut to max_lines around the first error.',
      'Secrets are masked with ***. Search with grep before you ask for the whole log; time ' +
        'stamps are removed unless wanted.',
      'Logs are kept for 90 days, those of cancelled jobs may be incomplete. A job that ' +
        'never got a runner has no log; its reason is in get_workflow_run.',
    ),
    inputSchema: object(
      {
        ...repository,
        target: {
          description: 'Whose log to read.',
          oneOf: [
            object(
              { job_id: integer('Id of the job from get_workflow_run.', { minimum: 1 }) },
              ['job_id'],
              'One job.',
            ),
            object(
              {
                run_id: runId,
                failed_only: {
                  const: true,
                  description: 'Must be true: logs of passing jobs are read one at a time.',
                },
              },
              ['run_id', 'failed_only'],
              'Every failed job of a run.',
            ),
          ],
        },
        step: text('Only this step, by its title.'),
        grep: text('Regular expression (RE2) lines must match. Matches come with context.'),
        context_lines: integer('Lines around each match of grep.', {
          minimum: 0,
          maximum: 50,
          default: 3,
        }),
        part: choice(
          ['around_first_error', 'head', 'tail'],
          'What to keep when the log is cut.',
          'around_first_error',
        ),
        max_lines: integer('Where to cut.', { minimum: 10, maximum: 3000, default: 300 }),
        timestamps: flag('Keep the time at the start of each line.', false),
        ...answer(['job', 'step', 'lines', 'first_error', 'truncated', 'url']),
      },
      ['owner', 'repo', 'target'],
    ),
    annotations: { title: 'Get job log', readOnlyHint: true },
  },
  {
    name: 'run_workflow',
    description: lines(
      'Start a workflow that allows manual starts, with its inputs. Fails with ' +
        'not_dispatchable and the list of those that can be started.',
      'A workflow may deploy or publish: read its file first if you do not know it, and ask ' +
        'the user before anything that reaches production. Inputs are checked against the ' +
        'workflow; all values are sent as text. Returns the id of the run, which can take ten ' +
        'seconds to show up in lists.',
      'Errors worth handling: not_dispatchable, input_missing and input_invalid (with the ' +
        'declared inputs), ref_not_found, approval_needed (the run waits for a person; tell ' +
        'the user who can approve).',
    ),
    inputSchema: object(
      {
        ...repository,
        workflow: text('File name of the workflow, for example "deliver.yaml".'),
        ref: text('Branch or tag whose version of the workflow is run.'),
        inputs: {
          type: 'object',
          description: 'Inputs by name, as text. Booleans are "true" and "false".',
          additionalProperties: { type: 'string', maxLength: 1024 },
          maxProperties: 25,
        },
        reason: text('Shown in the run and in the audit log.', { maxLength: 200 }),
        wait_seconds: integer(
          'Wait up to this long for the run to finish and return how it ended. 0 returns at once.',
          { minimum: 0, maximum: 120, default: 0 },
        ),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'workflow', 'ref'],
    ),
    annotations: { title: 'Run workflow', destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'rerun_workflow',
    description:
      'Repeat a finished workflow run, wholly, its failed jobs only, or one job; or cancel ' +
      'one that is under way. A repeat uses the same commit and the same workflow file, so ' +
      'it helps against flaky tests and lost runners but not after a fix. Three attempts are ' +
      'sensible; after that look at the log.',
    inputSchema: object(
      {
        ...repository,
        run_id: runId,
        action: choice(
          ['rerun_failed', 'rerun_all', 'rerun_job', 'cancel', 'force_cancel'],
          '"force_cancel" skips cleaning up: only when "cancel" had no effect for five minutes.',
          'rerun_failed',
        ),
        job_id: integer('For "rerun_job": the job. Those that depend on it are repeated too.', {
          minimum: 1,
        }),
        debug_logging: flag('Log every command of the runner.', false),
        ...notice,
      },
      ['owner', 'repo', 'run_id'],
    ),
    annotations: { title: 'Rerun workflow', destructiveHint: false },
  },
  {
    name: 'list_deployments',
    description: lines(
      'List deployments of a repository to its environments: version, commit, who or what ' +
        'started it, state, when it became active and when it was replaced.',
      '',
      'This is the record of what ran where and when. To find what was live at the time of ' +
        'an incident, set environment and active_at. Compare two neighbours with compare_refs ' +
        'to learn what changed. A deployment marked "inactive" was replaced by a later one; ' +
        '"rolled_back" was replaced by an earlier version.',
      'Times are those of the last instance taking traffic. During a gradual rollout two ' +
        'deployments of one environment are active; share tells how much traffic each one gets.',
    ),
    inputSchema: object(
      {
        ...repository,
        environment,
        states: list(
          choice(
            ['queued', 'in_progress', 'active', 'inactive', 'failed', 'rolled_back'],
            'State of a deployment.',
          ),
          'Only these states.',
          { uniqueItems: true },
        ),
        ref: text('Branch, tag or commit that was deployed.'),
        actor: text('User name, or the name of the automation.'),
        active_at: text('What was live at this moment. Overrides states, since and until.', {
          format: 'date-time',
        }),
        ...between('deployments started'),
        include: include(['status_history', 'approvals', 'workflow_run', 'previous'], ['previous']),
        ...order(['started', 'finished', 'duration'], 'started'),
        ...cursor,
        ...answer([
          'id',
          'environment',
          'ref',
          'commit',
          'version',
          'state',
          'actor',
          'started_at',
          'active_at',
          'replaced_at',
          'previous',
          'workflow_run',
          'url',
        ]),
      },
      ['owner', 'repo'],
    ),
    annotations: { title: 'List deployments', readOnlyHint: true },
  },
  {
    name: 'create_release',
    description: lines(
      'Publish a release: a tag with notes and files, or a draft of one. With generate_notes ' +
        'the text is put together from the pull requests since the previous release, under ' +
        'headings by label.',
      'Publishing notifies watchers, starts workflows that listen for releases and cannot be ' +
        'taken back quietly: prefer a draft and give the user its link.',
      'Errors worth handling: tag_protected, release_exists (update it by hand), ' +
        'asset_expired (artifacts are deleted after 90 days), notes_too_long.',
    ),
    inputSchema: object(
      {
        ...repository,
        tag: text('Tag to release. Created at target when it does not exist.', { maxLength: 120 }),
        target: text('Branch or commit for a new tag. The default branch when left out.'),
        title: text('Heading. The tag when left out.', { maxLength: 200 }),
        notes: text('Text in Markdown. Put before the generated notes when both are wanted.'),
        generate_notes: object(
          {
            enabled: flag('Make notes from pull requests.', true),
            previous_tag: text('Start of the range. The release before when left out.'),
            exclude_labels: list(text('Label name.'), 'Leave out pull requests with any of these.'),
            group_by: choice(['label', 'author', 'none'], 'Headings of the notes.', 'label'),
          },
          ['enabled'],
          'Notes put together by the host.',
        ),
        assets: list(
          object(
            {
              name: text('File name shown to people.'),
              artifact: text('Artifact of a workflow run, as "run_id/artifact-name".'),
              content_type: text('Media type.', { default: 'application/octet-stream' }),
              label: text('Text instead of the file name.'),
            },
            ['name', 'artifact'],
          ),
          'Files to attach, taken from workflow artifacts.',
          { maxItems: 50 },
        ),
        draft: flag('Keep it hidden until published by hand.', true),
        prerelease: flag('Mark as not ready for production.', false),
        make_latest: choice(
          ['yes', 'no', 'by_version'],
          'Whether it becomes the release shown first.',
          'by_version',
        ),
        announce_in_discussion: text('Category to open a discussion in. None when left out.'),
        ...safeguards,
        ...notice,
      },
      ['owner', 'repo', 'tag'],
    ),
    annotations: { title: 'Create release', destructiveHint: false, openWorldHint: true },
  },
]
