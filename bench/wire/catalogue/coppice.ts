import type { ToolDefinition } from 'toolsearch'
import { fileTools } from './coppice-files.ts'
import { historyTools } from './coppice-history.ts'
import { issueTools } from './coppice-issues.ts'
import { pipelineTools } from './coppice-pipelines.ts'
import { pullRequestTools } from './coppice-pull-requests.ts'
import { repositoryTools } from './coppice-repositories.ts'
import { reviewTools } from './coppice-reviews.ts'
import { serverTools } from './server-tools.ts'

/** Coppice, an imaginary code host. */
export const coppice: readonly ToolDefinition[] = serverTools('coppice', [
  ...repositoryTools,
  ...fileTools,
  ...historyTools,
  ...pullRequestTools,
  ...reviewTools,
  ...issueTools,
  ...pipelineTools,
])
