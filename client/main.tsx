import './ui/theme/global.css'
import 'virtual:roles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { reloadOnceForMissingChunk } from './app/build.ts'
import { wallPath } from '#events/wall.ts'
import { ownPathname } from './app/place/basePath.ts'
import { watchComposition } from './ui/form/composition.ts'
import { OwnPassword, Screens, SignIn } from './screens.tsx'

reloadOnceForMissingChunk()
watchComposition()
const root = createRoot(document.querySelector('#app') as HTMLElement)
// The wall has its own page without shell, toasts and user.
if (ownPathname() === wallPath) {
  void import('./wall/WallPage.tsx').then(({ WallPage }) => root.render(<WallPage />))
} else {
  root.render(<App signIn={<SignIn />} ownPassword={<OwnPassword />} screens={<Screens />} />)
}
