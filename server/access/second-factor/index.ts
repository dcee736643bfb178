export { checkCode, hasSecondFactor, wrongCode } from './checkCode.ts'
export { secondFactorRoutes } from './routes.ts'
