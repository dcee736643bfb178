import { proxy } from 'valtio'
import { configureCalls } from '#client/app/call.ts'

/** State of the dialog that asks users to confirm who they are. */
export const confirmation = proxy({ isAsking: false })

let settle: (isConfirmed: boolean) => void = () => {}
let asked = Promise.resolve(false)

/** Asks the user. Calls at the same time share one question. Resolves to false if the user cancels. */
function askToConfirm(): Promise<boolean> {
  if (confirmation.isAsking) return asked
  confirmation.isAsking = true
  asked = new Promise((resolve) => (settle = resolve))
  return asked
}

/** Ends the question: the calls that wait are repeated, or fail. */
export function endConfirmation(isConfirmed: boolean): void {
  confirmation.isAsking = false
  settle(isConfirmed)
}

configureCalls({ confirm: askToConfirm })
