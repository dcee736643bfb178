export { admitRun, claimBuiltInRun, holdsKey, tooOld } from './admitRun.ts'
export { type Holder, holderColumns, rivalOf } from './judgeRun.ts'
export { nameMachine, runCode } from './machineNames.ts'
