import './ui/theme/global.css'
import 'virtual:roles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { reloadOnceForMissingChunk } from './app/build.ts'
import { watchComposition } from './ui/form/composition.ts'
import { OwnerFiles, OwnPassword, OwnSecondFactor, Screens, SignIn } from './screens.tsx'

reloadOnceForMissingChunk()
watchComposition()
createRoot(document.querySelector('#app') as HTMLElement).render(
  <App
    signIn={<SignIn />}
    ownerFiles={<OwnerFiles />}
    ownPassword={<OwnPassword />}
    ownSecondFactor={<OwnSecondFactor />}
    screens={<Screens />}
  />,
)
