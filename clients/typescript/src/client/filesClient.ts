import type { FileSource } from '../files/fileSource.ts'
import { type ReadyFile, type UploadOptions, uploadFile, waitForFile } from '../files/uploadFile.ts'
import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type { File, FileList, Operations } from '../openapi.ts'
import { CatalogClient } from './catalogClient.ts'

/** Files that generations take as inputs. */
export class FilesClient extends CatalogClient {
  /** Uploads a file to use as an input. It may still be processing: a start repeats until it is ready, and `waitForFile` waits for it. */
  uploadFile(source: FileSource, options: UploadOptions = {}): ResponsePromise<File> {
    return uploadFile(this.connection, source, options)
  }

  /** One page of the uploaded files, newest first. */
  listFiles(query: Operations['listFiles']['query'] = {}, options: CallOptions = {}): ResponsePromise<FileList> {
    return call(this.connection, 'listFiles', { query, ...options })
  }

  getFile(id: string, options: CallOptions = {}): ResponsePromise<File> {
    return call(this.connection, 'getFile', { path: { id }, ...options })
  }

  /** Waits until a file is ready, by default at most five minutes. Throws the refusal of a start with it when it never will be. */
  waitForFile(id: string, options: CallOptions = {}): Promise<ReadyFile> {
    return waitForFile(this.connection, id, options)
  }

  /** Deletes a file. Refused while unfinished work needs it, and when it was already deleted. */
  deleteFile(id: string, options: CallOptions = {}): ResponsePromise<void> {
    return call(this.connection, 'deleteFile', { path: { id }, ...options })
  }
}
