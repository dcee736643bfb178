import './app/theme/global.css'
import 'virtual:roles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { reloadOnceForMissingChunk } from './app/build.ts'
import { Screens, SignIn } from './screens.tsx'

reloadOnceForMissingChunk()
createRoot(document.querySelector('#app') as HTMLElement).render(<App signIn={<SignIn />} screens={<Screens />} />)
