"""Pictures of the app, made from the scenes of the tests."""
