import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ReactNode, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { mediaOfFile, searchEntriesMedia, searchMedia } from '#events/media/found.ts'
import { type Bundle, bundles, type Role } from '#events/contract/needs.ts'
import { wallPath } from '#events/wall.ts'
import { connectedSystems } from '#events/actions/calls.ts'
import { agents } from '#events/agents.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobTypes } from '#events/jobs/types.ts'
import { dashboard } from '#events/dashboard.ts'
import { growingNow } from '#events/feeds/growingNow.ts'
import { growingFolders } from '#events/overview/growing.ts'
import { figureHistory } from '#events/overview/history.ts'
import { setup, setupSteps } from '#events/overview/setup.ts'
import { eventDestinations } from '#events/event-log/destinations.ts'
import { channels, mailState } from '#events/notifications/channels.ts'
import { wallFiring } from '#events/wall.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { storageStates } from '#events/overview/storageStates.ts'
import { healthProblems } from '#events/health.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { storages } from '#events/storages.ts'
import { type CurrentUser, currentUserInfo, loginInfo, orchestrationUrl } from '#events/users/session.ts'
import { App } from '#client/app/App.tsx'
import { ownPathname } from '#client/app/place/basePath.ts'
import { dependents } from '#events/administration.ts'
import { addressConfirmations } from '#events/notifications/addresses.ts'
import { goLive } from '#client/app/live/live.state.ts'
import { forgetRemotes } from '#client/app/remote.ts'
import { leaveWhenSignedOut, loadSession } from '#client/app/session.state.ts'
import { ConfirmIdentityOnceAsked } from '#client/app/confirmation/ConfirmIdentityOnceAsked.tsx'
import { Toasts } from '#client/app/toasts/Toasts.tsx'
import { OwnerFiles, OwnPassword, OwnSecondFactor, Screens, SignIn } from '#client/screens.tsx'
import { theme } from '#client/ui/theme/theme.ts'
import { WallPage } from '#client/wall/WallPage.tsx'
import { administrator, dashboardWith, storagesWith, today } from './examples.ts'
import { answer, type FakeAnswer, FakeApi, pageWith } from './fakeApi.ts'
import { FakeLive } from './fakeLive.ts'
import { type Person, personAt } from './person.ts'
import { resetStates } from './resettableStates.ts'

export type Options = {
  /** Answers to the calls of the page. A call without an answer fails the test. */
  answers?: readonly FakeAnswer[]
  /** Roles of the user; an administrator by default. */
  roles?: readonly Role[]
  /** Licensed bundles; all by default. */
  bundles?: readonly Bundle[]
  user?: Partial<CurrentUser>
  /** Initial states of live topics. */
  live?: ConstructorParameters<typeof FakeLive>[0]
  /** Renders navigation, header and banners around the screen. */
  hasShell?: boolean
}

/** `saved`: files downloaded by the page. */
export type OpenedPage = { person: Person; api: FakeApi; live: FakeLive; saved: { name: string; text: string }[] }

let root: Root | undefined
let leave = () => {}
let openedApi: FakeApi | undefined

/** Opens a URL of the product for a signed-in user, with a fake server. `/wall` has its own page without a user. */
export async function open(address: string, options: Options = {}): Promise<OpenedPage> {
  const screens = (
    <MantineProvider theme={theme} env="test">
      <Suspense fallback={null}>
        <Screens />
      </Suspense>
      <ConfirmIdentityOnceAsked />
      <Toasts />
    </MantineProvider>
  )
  closePage()
  const opened = startPage(address, options)
  if (ownPathname() === wallPath) {
    mount(<WallPage />)
    return opened
  }
  if (options.hasShell) {
    mount(
      <App
        signIn={<SignIn />}
        ownerFiles={<OwnerFiles />}
        ownPassword={<OwnPassword />}
        ownSecondFactor={<OwnSecondFactor />}
        screens={<Screens />}
      />,
    )
    return opened
  }
  await loadSession()
  leave = goLive(() => {})
  mount(screens)
  return opened
}

/** Renders a component for a signed-in user, with a fake server. */
export async function draw(component: ReactNode, options: Options = {}): Promise<OpenedPage> {
  closePage()
  const opened = startPage('/', options)
  await loadSession()
  leave = goLive(() => {})
  mount(
    <MantineProvider theme={theme} env="test">
      <Suspense fallback={null}>{component}</Suspense>
      <ConfirmIdentityOnceAsked />
      <Toasts />
    </MantineProvider>,
  )
  return opened
}

function mount(page: ReactNode): void {
  const container = document.createElement('div')
  document.body.append(container)
  root = createRoot(container)
  root.render(page)
}

function startPage(address: string, options: Options): OpenedPage {
  const user = userWith(options)
  const api = new FakeApi(
    defaultAnswers(user),
    user.roles.map(({ authority }) => authority),
  )
  api.answer(...(options.answers ?? []))
  const live = new FakeLive(options.live)
  Object.assign(globalThis, { fetch: api.fetch, WebSocket: live.socketClass })
  leaveWhenSignedOut()
  history.replaceState(null, '', address)
  openedApi = api
  return { person: personAt(), api, live, saved: watchSavedFiles() }
}

function userWith({ roles = ['ROLE_ADMIN'], bundles: licensed = bundles, user = {} }: Options): CurrentUser {
  return {
    ...administrator,
    roles: roles.map((authority) => ({ authority })),
    bundles: [...licensed],
    ...user,
  }
}

const defaultAnswers = (user: CurrentUser): FakeAnswer[] => [
  answer(currentUserInfo, user),
  answer(loginInfo, { loginUrl: '/login', singleSignOn: false }),
  answer(snapshotDates, [{ indexingDate: today, volumes: 1, isPartial: false }]),
  answer(healthProblems, []),
  ...[searchMedia, searchEntriesMedia].map((call) => answer(call, { files: 0, read: 0, duration: 0 })),
  answer(mediaOfFile, { failure: null, tracks: [], chapters: [] }),
  answer(connectedSystems, [...bundles]),
  answer(dashboard, dashboardWith()),
  answer(jobs.types, [...jobTypes]),
  answer(agents.list, pageWith([])),
  answer(storageStates, []),
  answer(storages, storagesWith()),
  answer(incidents.firing, []),
  answer(wallFiring, { firing: 0 }),
  answer(mailState, { isSetUp: true }),
  answer(channels.list, pageWith([])),
  answer(eventDestinations.list, pageWith([])),
  answer(figureHistory, []),
  answer(growingNow, { folders: [], asOf: null }),
  answer(growingFolders, { folders: [], indexingDate: today, previousIndexingDate: null }),
  answer(setup, { done: [...setupSteps], isHidden: false }),
  answer(orchestrationUrl, ''),
  answer(addressConfirmations.list, []),
  answer(dependents, []),
]

/** Collects files that are saved by clicking a link, instead of downloading them. */
function watchSavedFiles(): OpenedPage['saved'] {
  const saved: OpenedPage['saved'] = []
  const texts = new Map<string, Promise<string>>()
  URL.createObjectURL = (file) => {
    const address = `blob:${texts.size}`
    texts.set(address, (file as Blob).text())
    return address
  }
  URL.revokeObjectURL = () => {}
  HTMLAnchorElement.prototype.click = function () {
    const { download: name, href } = this
    void texts.get(href)?.then((text) => saved.push({ name, text }))
  }
  return saved
}

/** Closes the page and clears this browser's settings. Throws the faults of its calls. */
export function closePage(): void {
  root?.unmount()
  root = undefined
  document.body.replaceChildren()
  leave()
  leave = () => {}
  forgetRemotes()
  resetStates()
  notifications.clean()
  localStorage.clear()
  sessionStorage.clear()
  const faults = [...(openedApi?.faults ?? [])]
  openedApi = undefined
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
