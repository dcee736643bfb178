import { type ReactNode, useState } from 'react'
import { encode } from 'uqr'
import { type NewSecondFactor, secondFactor } from '#events/users/secondFactor.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { CodeInput } from '#client/ui/form/CodeInput.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import classes from './SecondFactor.module.css'

const codeForm = defineForm({
  schema: secondFactor.turnOn.body,
  fields: { code: '' },
  toDraft: ({ code }) => ({ code }),
})

type SetUpProps = {
  made: NewSecondFactor
  /** After the user has seen the recovery codes. */
  onDone: () => void
  /** Content next to the submit button. */
  beside: ReactNode
}

/** Turns on a new second factor with its first code, then shows the recovery codes. */
export function SetUpSecondFactor({ made: { secret, address }, onDone, beside }: SetUpProps) {
  const [codes, show] = useState<string[]>()
  const { form, busy, submit } = useSavedForm({
    form: codeForm,
    save: async (body) => show((await call(secondFactor.turnOn, { body })).recoveryCodes),
  })
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Turn on" beside={beside}>
      <p>
        Scan this with an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or
        1Password. If you can't scan it, enter the key.
      </p>
      <div className="stack gap-16">
        <QrCode text={address} label="QR code of the key" />
        <CopyableText label="Key" text={secret} />
      </div>
      <CodeInput
        description="Six digits that the app shows. Your other sessions will be signed out."
        inputMode="numeric"
        data-autofocus
        disabled={busy}
        {...form.getInputProps('code')}
      />
    </DialogForm>
  )
}

/** Modules of light around the code (ISO/IEC 18004). */
const quietZone = 4

/** A QR code, black on white in every color scheme, because cameras expect it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: quietZone })
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className={classes.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={dots.join('')} fill="#000" />
    </svg>
  )
}
