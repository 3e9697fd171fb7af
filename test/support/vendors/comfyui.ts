import { comfyui } from '../../../src/providers/vendors/comfyui/index.ts'
import type { VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { comfyuiFailures } from './comfyuiFailures.ts'
import { comfyuiKey, startComfyui } from './comfyuiServer.ts'

export const comfyuiUnderTest: VendorUnderTest = {
  vendor: comfyui,
  key: comfyuiKey,
  startFake: () => startComfyui(),
  failures: Object.keys(comfyuiFailures),
  // Its outputs are files of its own, identified by name.
  without: ['hostile_address'],
  requests: {
    image: { familyId: 'comfyui-z-image', prompt: 'a boat at dusk', parameters: { strength: 0.5 }, inputs: ['image'] },
    video: { familyId: 'comfyui-wan', prompt: 'a boat leaves the harbour', parameters: { durationSeconds: 2, width: 640, height: 352 } },
    audio: { familyId: 'comfyui-ace-step', prompt: 'slow piano, rain', parameters: { durationSeconds: 10 } },
    model3d: { familyId: 'comfyui-hunyuan3d', inputs: ['image'] },
  },
  reportsCost: true,
}
