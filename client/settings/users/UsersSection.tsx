import { ActionIcon } from '@mantine/core'
import { IconBan, IconEye, IconKey, IconShieldOff } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { Role } from '#events/contract/needs.ts'
import { type OneTimePassword, type User, UserDraft, users } from '#events/users/accounts.ts'
import { type GroupLimits, Limits, limits, noLimits } from '#events/users/limits.ts'
import { secondFactor } from '#events/users/secondFactor.ts'
import { loginInfo } from '#events/users/session.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { session, startView } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { ConfirmedButton } from '#client/parts/deletion/ConfirmedButton.tsx'
import { roleNames } from '#client/parts/roles/roleWords.ts'
import { RolesInput } from '#client/parts/roles/RolesInput.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { SettingsTable as Declaration } from '#client/parts/settings-table/declaration.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Dependents } from '#client/parts/deletion/Dependents.tsx'
import { withBase } from '#client/app/place/basePath.ts'
import { copiedSecret } from '#client/parts/settings-table/SecretDialog.tsx'
import { SettingsSection, SettingsTable, TableIntro, TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { AccessButton } from './AccessButton.tsx'
import { LimitsInput, limitsText } from '#client/parts/limits/LimitsInput.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import classes from './Users.module.css'

/** Users, their roles and what they see, and the same for groups of single sign-on. */
export const UsersSection = () => (
  <SettingsSection title="Users" folds="open" table={usersTable}>
    <Groups />
  </SettingsSection>
)

/** Groups of single sign-on, if there is one. Their roles are settings of the server. */
function Groups() {
  const { data } = useRemote(loginInfo, {})
  if (!data?.singleSignOn) return null
  return (
    <>
      <TableTitle>Groups of single sign-on</TableTitle>
      <TableIntro>
        A user of several groups sees what any of them sees. Once a group is limited, users of single sign-on who are in
        none of these groups and have no limits of their own see nothing.
      </TableIntro>
      <SettingsTable table={groupsTable} />
    </>
  )
}

const groupsTable: Declaration<GroupLimits, Limits> = {
  label: 'Groups of single sign-on',
  rows: rowsOf(limits.groups, 'limits'),
  columns: [
    { key: 'name', title: 'Group', cell: ({ name }) => <span className="strong">{name}</span> },
    { key: 'limits', title: 'Sees', cell: (group) => limitsText(group.limits) },
  ],
  calls: { update: ({ name }, body) => call(limits.limitGroup, { params: { name }, body }) },
  editing: { label: ({ name }) => `Edit ${name}` },
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? '' : `What ${edited.name} sees`),
    saves: () => 'Save group',
  },
  form: describeForm<GroupLimits, Limits>()({
    schema: Limits,
    fields: {
      limits: {
        label: 'Sees',
        kind: 'own',
        Input: LimitsInput,
        initial: noLimits as Limits,
        to: ['everything', 'projects', 'storages', 'folders'],
      },
    },
    draft: (fields) => fields.limits,
    saved: (_, edited) => (edited === 'new' ? undefined : `${edited.name} was updated`),
  }),
}

type Draft = UserDraft & { limits: Limits }

const usersTable: Declaration<User, Draft, OneTimePassword> = {
  label: 'Users',
  rows: rowsOf(users.list, 'users', 'limits'),
  sort: { field: 'name', direction: 'asc' },
  calls: {
    ...callsOf(users),
    create: ({ limits: seen, ...user }) =>
      call(users.create, { body: seen.everything ? user : { ...user, limits: seen } }),
    update: async (user, { limits: seen, ...body }) => {
      const params = { id: user.id }
      await call(users.update, { params, body })
      if (JSON.stringify(seen) !== JSON.stringify(ownLimits(user))) await call(limits.limitUser, { params, body: seen })
    },
  },
  columns: [
    { key: 'name', title: 'Name', sortable: true, cell: (user) => <Name {...user} /> },
    { key: 'email', title: 'Email', wideOnly: true, cell: ({ email }) => email ?? '-' },
    {
      key: 'roles',
      title: 'Roles',
      wideOnly: true,
      cell: ({ roles }) => <div className={classes.roles}>{roleNames(roles) || 'Viewer'}</div>,
    },
    { key: 'limits', title: 'Sees', wideOnly: true, cell: (user) => seesText(user) },
    {
      key: 'lastSignInAt',
      title: 'Last sign-in',
      sortable: true,
      wideOnly: true,
      cell: (user) => <LastSignIn {...user} />,
    },
  ],
  adding: { label: 'Add user', link: 'user' },
  editing: { label: ({ name }) => `Edit ${name}` },
  opens: {
    at: 'dialog',
    size: 'M',
    title: (edited) => (edited === 'new' ? 'Add user' : `Edit ${edited.name}`),
    saves: (edited) => (edited === 'new' ? 'Add user' : 'Save user'),
  },
  form: describeForm<User, Draft>()({
    schema: UserDraft.extend({ limits: Limits }),
    fields: {
      name: {
        label: 'Name',
        isFixed: (edited) => isOfProvider(edited),
        description: (edited) => (isOfProvider(edited) ? 'Managed by single sign-on.' : undefined),
        initial: '',
        write: (name) => name.trim(),
      },
      email: {
        label: 'Email',
        type: 'email',
        description: (edited) =>
          isOfProvider(edited) ? 'Follows single sign-on at each sign-in, if that sends an address.' : undefined,
        initial: '',
        read: ({ email }) => email ?? '',
        // An empty address means none.
        write: (email) => email.trim() || null,
      },
      roles: {
        label: 'Roles',
        kind: 'own',
        Input: RolesInput,
        isFixed: (edited) => isOfProvider(edited),
        description: (edited) =>
          isOfProvider(edited) ? 'Managed by single sign-on, updated at each sign-in.' : undefined,
        initial: [] as Role[],
      },
      limits: {
        label: 'Sees',
        kind: 'own',
        Input: LimitsInput,
        description: (_, { roles }) =>
          roles.includes('ROLE_ADMIN')
            ? 'Administrators always see everything.'
            : 'With several sources, the user sees all of them together.',
        initial: noLimits as Limits,
        read: (user) => ownLimits(user),
      },
      isDisabled: {
        label: 'Disabled',
        kind: 'switch',
        isShown: (_, edited) => edited !== 'new',
        description: (edited) =>
          edited === 'new'
            ? undefined
            : `${edited.name} cannot sign in; sessions and API tokens of ${edited.name} stop working immediately.`,
        initial: false as boolean,
      },
    },
    saved: ({ name }, edited) => (edited === 'new' ? undefined : `${name.trim()} was updated`),
  }),
  secret: ({ name, password }) =>
    copiedSecret({
      title: `Password of ${name}`,
      label: 'This one-time password',
      value: password,
      usage: (
        <>
          The user must choose a new password at the first sign-in. Address to send along:{' '}
          <code>{location.origin + withBase('/')}</code>
        </>
      ),
    }),
  deletion: {
    label: ({ name }) => `Delete ${name}`,
    verb: 'Delete user',
    question: ({ name, id }) => (
      <>
        <p>
          Are you sure you want to delete user {name}? Their private searches, notifications, sessions and API tokens
          are deleted too. The event log keeps what they did.
        </p>
        <Dependents kind="user" id={id} />
      </>
    ),
    deleted: ({ name }) => `${name} was deleted`,
  },
  actions: (user, { edit, remove, onDone }) => (
    <>
      {edit}
      <AccessButton user={user} />
      {!user.isDisabled && <SeeAs user={user} />}
      {!user.isOfProvider && <ResetPassword user={user} onReset={onDone} />}
      {user.hasSecondFactor && <RemoveSecondFactor user={user} onDone={() => onDone()} />}
      {remove}
    </>
  ),
}

/** Limits of a user apart from the groups. Without any, users of limited groups see nothing of their own. */
const ownLimits = ({ limits: own, isLimited }: User): Limits => own ?? { ...noLimits, everything: !isLimited }

/** Places that a user sees, in a few words. */
const seesText = ({ roles, limits: own, isLimited }: User): string =>
  !isLimited || roles.includes('ROLE_ADMIN') ? 'Everything' : own ? limitsText(own) : 'What the groups see'

/** Button that shows the product as a user sees it, unless that is the administrator's own account. */
function SeeAs({ user: { id, name } }: { user: User }) {
  const own = useSnapshot(session).user?.id
  const [busy, start] = useBusy(() => startView(id))
  if (own === String(id)) return null
  return (
    <ActionIcon aria-label={`See as ${name}`} title={`See as ${name}`} loading={busy} onClick={() => start()}>
      <IconEye size={16} stroke={1.5} />
    </ActionIcon>
  )
}

const isOfProvider = (edited: User | 'new') => edited !== 'new' && edited.isOfProvider

const Name = ({ name, isDisabled, isOfProvider, hasSecondFactor }: User) => (
  <span className="inline strong gap-8">
    {name}
    {isDisabled && (
      <Chip icon={IconBan} tone="critical">
        Disabled
      </Chip>
    )}
    {hasSecondFactor && <Chip title="Signs in with a code of an authenticator app too">Second factor</Chip>}
    {isOfProvider && <Chip title="The provider gives its name and roles">Single sign-on</Chip>}
  </span>
)

const LastSignIn = ({ lastSignInAt, hasOneTimePassword }: User) => (
  <>
    {lastSignInAt ? <Moment at={lastSignInAt} /> : 'Never'}
    {hasOneTimePassword && <span className="muted">, with a one-time password</span>}
  </>
)

type ResetPasswordProps = { user: User; onReset: (password: OneTimePassword) => void }

/** Button that resets a user's password to a one-time password, after a confirmation. */
const ResetPassword = ({ user: { id, name }, onReset }: ResetPasswordProps) => (
  <ConfirmedButton
    label={`Reset password of ${name}`}
    icon={IconKey}
    title={`Reset the password of ${name}`}
    verb="Reset password"
    act={async () => onReset(await call(users.resetPassword, { params: { id } }))}
  >
    The password of {name} stops working and their sessions end. You get a one-time password to pass on.
  </ConfirmedButton>
)

/** Button that removes the second factor of a user who lost it, after a confirmation. */
const RemoveSecondFactor = ({ user: { id, name }, onDone }: { user: User; onDone: () => void }) => (
  <ConfirmedButton
    label={`Remove second factor of ${name}`}
    icon={IconShieldOff}
    title={`Remove the second factor of ${name}`}
    verb="Remove second factor"
    act={async () => {
      await call(secondFactor.remove, { params: { id } })
      onDone()
      toast({ kind: 'success', message: `${name} signs in without a second factor now` })
    }}
  >
    {name} signs in with the password alone until a new second factor is set up. Their sessions end. Make sure that it
    is {name} who asks.
  </ConfirmedButton>
)
