export { adkTools } from './adk-tools.ts'
export { type AdkToolsetOptions, adkToolset } from './adk-toolset.ts'
