const source = { url: 'https://audio.example/interview.ogg', seconds: 95 };

/** What a tester knows of the server. */
export const TRANSCRIPTION_FIXTURES = {
  cred: {
    jwt: 'editor-of-the-harbour',
    secondAccount: 'editor-of-the-lighthouse',
    refused: 'editor-of-nothing',
    forbidden: 'suspended-editor',
  },
  bodies: {
    createProject: { slug: 'interviews', name: 'Interviews', language: 'en' },
    changeProject: { description: 'Of this year.' },
    submitTranscription: { name: 'Interview with the pilot', source, label: 'Press' },
    changeTranscription: { label: 'Radio', speakers: { S1: 'Pilot' } },
    retryTranscription: { name: 'Interview with the pilot, again' },
  },
  occasions: {
    submitTranscription: {
      other: {
        body: {
          name: 'Interview with the crew',
          source: { url: 'https://audio.example/crew.ogg', seconds: 240 },
          language: 'fr',
          vocabulary: ['bow', 'stern'],
        },
      },
      slow: {
        body: { name: 'A long evening', source: { ...source, seconds: 1800 } },
        minMs: 30_000,
      },
      ending: [
        { body: { name: 'Interview that ends', source }, ends: 'completed' },
        {
          body: { name: 'A letter', source: { url: 'https://audio.example/letter.txt', seconds: 20 } },
          ends: 'failed',
        },
      ],
    },
    getProject: { missing: { parameters: { projectId: 'prj_999999' } } },
    getTranscription: { missing: { parameters: { transcriptionId: 'trs_999999' } } },
  },
};
