import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { withBase } from '#client/app/place/basePath.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { Credentials, login, loginInfo } from '#events/users/session.ts'
import { secondFactorCode } from '#events/users/secondFactor.ts'
import { type SingleSignOnProblem, singleSignOnProblems } from '#events/users/singleSignOn.ts'
import { CallError, call } from '#client/app/call.ts'
import { checkedBy, fieldErrors } from '#client/app/form.ts'
import { afterSignIn, signInAddress } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { signedIn } from '#client/app/session.state.ts'
import { demoPassword } from '#client/ui/DemoMark.tsx'
import { SecondFactorInput } from '#client/ui/form/CodeInput.tsx'
import { focus } from '#client/ui/form/focus.ts'
import { useCapsLock } from '#client/ui/useCapsLock.ts'
import { productName } from '#client/ui/productName.ts'
import { usePageTitle } from '#client/ui/text/pageTitle.ts'
import { SignInCard } from './SignInCard.tsx'

/** Signs in by name and password or by single sign-on, then returns to the requested page. */
export function SignInPage() {
  // The response also sets the cookie of the cross-site token.
  const info = useRemote(loginInfo, {})
  usePageTitle('Sign in')
  const { redirectTo, problem } = useSignInParams()
  return (
    <SignInCard title={`Sign in to ${productName}`}>
      {problem && (
        <p className="critical" role="alert">
          {problem}
        </p>
      )}
      <SignInForm />
      <DemoNote />
      {info.error && !info.loading && (
        <p className="critical" role="alert">
          {info.error.message}
        </p>
      )}
      {info.data?.singleSignOn && (
        <Button
          component="a"
          href={withBase(signInAddress(info.data.loginUrl, redirectTo))}
          variant="default"
          fullWidth
        >
          Single sign-on
        </Button>
      )}
    </SignInCard>
  )
}

/** Redirect target, and the reason why single sign-on failed. */
function useSignInParams() {
  const search = useSearch()
  const problem = new URLSearchParams(search).get('problem') ?? ''
  const isKnown = (word: string): word is SingleSignOnProblem => Object.hasOwn(singleSignOnProblems, word)
  return { redirectTo: afterSignIn(search), problem: isKnown(problem) && singleSignOnProblems[problem] }
}

function SignInForm() {
  const [busy, setBusy] = useState(false)
  const [asksForCode, askForCode] = useState(false)
  const capsLock = useCapsLock()
  const form = useForm({
    initialValues: { name: demoPassword() && 'admin', password: demoPassword(), code: '' },
    validate: checkedBy(Credentials),
    onSubmitPreventDefault: 'always',
  })
  useEffect(() => form.getInputNode('name')?.focus(), []) // eslint-disable-line
  const submit = form.onSubmit(
    async (values) => {
      setBusy(true)
      try {
        signedIn(await call(login, { body: values }))
        navigate(afterSignIn(location.search), { replace: true })
      } catch (error) {
        const isFirstAsked = error instanceof CallError && error.code === secondFactorCode
        if (isFirstAsked) askForCode(true)
        else form.setErrors(errorsOf(error))
        if (asksForCode) form.setFieldValue('code', '')
        form.getInputNode(asksForCode ? 'code' : 'password')?.focus()
      } finally {
        setBusy(false)
      }
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'name')?.focus(),
  )
  return (
    <form className="stack gap-16" onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        autoComplete="username"
        disabled={busy}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        description={capsLock.hint}
        disabled={busy}
        {...capsLock.handlers}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      {asksForCode && (
        <SecondFactorInput ref={focus} disabled={busy} key={form.key('code')} {...form.getInputProps('code')} />
      )}
      <Button type="submit" loading={busy} fullWidth>
        Sign in
      </Button>
    </form>
  )
}

/** The sign-in of a demo, and what is made up there. */
function DemoNote() {
  const password = demoPassword()
  if (password === '') return null
  return (
    <p className="muted small">
      Sign in as <strong>admin</strong> with the password <strong>{password}</strong>. All data is made up. P5,
      StorNext, PowerScale, SODA and iconik are simulated.
    </p>
  )
}

function errorsOf(error: unknown): Record<string, string> {
  const { code, subErrors = [], message } = error as Partial<CallError> & Error
  const ofFields = fieldErrors(subErrors)
  if (Object.keys(ofFields).length > 0) return ofFields
  return { [code === 'wrong-code' ? 'code' : 'password']: message }
}
