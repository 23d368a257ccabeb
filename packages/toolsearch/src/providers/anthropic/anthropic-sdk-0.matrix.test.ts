import OldAnthropic from 'anthropic-sdk-0'
import { isDeep } from '../../../../../testing/deep.ts'
import { describeProvider } from '../provider.cases.ts'
import { anthropicCase } from './anthropic-case.fixtures.ts'

// `anthropic.test.ts` runs the contract with version 1 of the client in every mode. The versions differ in how
// they send betas, so a mode with betas is enough for version 0.
const { modes, stableModes, ...provider } = anthropicCase('Anthropic 0.x', OldAnthropic)
const chosen = isDeep ? modes : ['inline-addition']

describeProvider({
  ...provider,
  modes: chosen,
  stableModes: stableModes.filter((mode) => chosen.includes(mode)),
})
